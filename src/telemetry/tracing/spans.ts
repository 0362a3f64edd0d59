/**
 * Where the service's own spans begin and end. Without a provider (`startTracing`) all of this does
 * nothing and costs next to nothing. Attributes are names and numbers: never a text of a conversation.
 */
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import type { StageObserver } from '../../engine/ports.ts'

/** Name of the instrumentation scope. */
const SCOPE = 'precis'

const tracer = () => trace.getTracer(SCOPE)

/** A span for each stage that runs, below the one that is active when this is made. */
export function createStageSpans(): StageObserver {
  const parent = context.active()
  const running = new Map<string, Span>()
  return {
    stageStarted: (stage) => {
      const attributes = { 'precis.stage': stage }
      running.set(stage, tracer().startSpan(`stage ${stage}`, { attributes }, parent))
    },
    stageFinished: (stage) => {
      running.get(stage)?.end()
      running.delete(stage)
    },
  }
}

/** What a compaction came to, on the span of its request, or of its work on another thread. */
export function describeCompaction({ format, dryRun, report }: CompactResult): void {
  trace.getActiveSpan()?.setAttributes({
    'precis.format': format,
    'precis.outcome': report.outcome,
    'precis.fits': report.fits,
    'precis.dry_run': dryRun,
    'precis.tokens.before': report.tokensBefore,
    'precis.tokens.after': report.tokensAfter,
    'precis.tokens.target': report.target,
    'precis.stages': [...report.stagesUsed],
  })
}

export interface OutboundCall {
  /** What the span is called: a fixed word or two, such as `decide systemone`. */
  readonly name: string
  readonly attributes: Attributes
}

/**
 * A span around a call to another service, which learns of it by `traceparent` (W3C Trace Context).
 * `call` gets the headers to send; `statusOf` tells the status of its answer.
 */
export function withOutboundSpan<Response>(
  { name, attributes }: OutboundCall,
  call: (headers: Readonly<Record<string, string>>) => Promise<Response>,
  statusOf: (response: Response) => number,
): Promise<Response> {
  const options = {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', ...attributes },
  }
  return tracer().startActiveSpan(name, options, async (span) => {
    const headers: Record<string, string> = {}
    propagation.inject(context.active(), headers)
    try {
      const response = await call(headers)
      const status = statusOf(response)
      span.setAttribute('http.response.status_code', status)
      if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
      return response
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })
}

/** Runs in a span of its own, below the active one. */
export function withSpan<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  return tracer().startActiveSpan(name, async (span) => {
    try {
      return await run()
    } finally {
      span.end()
    }
  })
}

/** Of the active span, for whoever goes on elsewhere; empty without one. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** Runs below the span that such headers name. */
export function withinTrace<Result>(
  headers: Readonly<Record<string, string>>,
  run: () => Result,
): Result {
  return context.with(propagation.extract(context.active(), headers), run)
}
