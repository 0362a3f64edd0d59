import type { DecidePort, DecideRequest } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import type { BreakerState } from '../outbound/circuit-breaker.ts'
import type { OutboundClientOptions } from '../outbound/outbound.ts'
import { createOutboundClient } from '../outbound/outbound-client.ts'
import { type AskContext, askAll } from './ask.ts'
import { fitRequests } from './fit.ts'
import { createLearnedLimits } from './learned-limits.ts'
import { overrideLimits, scaleLimits } from './limits.ts'
import { failed, type Outcome, toResult } from './outcome.ts'
import type { Wire, WireLimits } from './wires/wire.ts'

export interface RemoteDeciderOptions extends Omit<OutboundClientOptions, 'headers' | 'classify'> {
  readonly wire: Wire
  readonly apiKey?: string
  readonly model: string
  /** Tokens of the decision model, or an estimate that is rather too high. */
  readonly countTokens: CountTokens
  /** What this server takes, where that is not what the wire documents. */
  readonly limits?: { readonly [Key in keyof WireLimits]?: WireLimits[Key] | undefined }
  /** Share of the token limits that is used, since the counter is not the server's. Default 0.9. */
  readonly limitShare?: number
  /** Most questions of one call. Default 300. */
  readonly maxQuestions?: number
  /**
   * Requests of one call that run at a time. Default: the wire's, or 2, since decision servers queue
   * parallel requests.
   */
  readonly parallelRequests?: number
  /** Milliseconds over all requests of a call. Default: two attempts and the pause between them. */
  readonly deadlineMs?: number
}

export interface RemoteDecider extends DecidePort {
  readonly breakerState: () => BreakerState
  /** Cuts what is running; later calls fail as `aborted`. */
  readonly close: () => Promise<void>
}

/** The longest first backoff: 250 ms and as much jitter. */
const MAX_BACKOFF_MS = 500

/**
 * The decide port over HTTP: packs a call into the server's limits, asks, and keeps what was answered
 * when a part of it failed. A request that the server calls too large is tried again smaller, and later
 * calls are packed to what was learned from it. Never throws, and ends by the request's signal, by its
 * deadline and by its own, whichever comes first.
 *
 * @throws TypeError when the URL is not usable
 */
export function createRemoteDecider(options: RemoteDeciderOptions): RemoteDecider {
  const { wire, model, countTokens } = options
  const timeoutMs = options.timeoutMs ?? 5_000
  const deadlineMs = options.deadlineMs ?? 2 * timeoutMs + MAX_BACKOFF_MS
  const maxQuestions = options.maxQuestions ?? 300
  const parallelRequests = options.parallelRequests ?? wire.manyRequests?.parallel ?? 2
  const now = options.now ?? (() => performance.now())
  const limits = scaleLimits(
    overrideLimits(wire.limits, options.limits ?? {}),
    options.limitShare ?? 0.9,
  )
  const learned = createLearnedLimits(limits, now)
  const client = createOutboundClient({
    ...options,
    now,
    timeoutMs,
    headers: requestHeaders(options.apiKey),
    classify: wire.classifyError,
    trace: {
      name: `decide ${wire.id}`,
      attributes: { 'precis.decide.wire': wire.id, 'gen_ai.request.model': model },
    },
  })

  const run = async (request: DecideRequest, deadlineAt: number): Promise<Outcome> => {
    const { rendering } = wire
    if (!wire.traits.sites.has(request.site)) {
      return { answers: new Map(), requests: 0, notAsked: request.questions.length }
    }
    const fit = { limits: learned.current(), maxQuestions, rendering, countTokens }
    const packed = fitRequests(request, fit)
    if (packed.requests.length === 0 && packed.notAsked > 0) {
      return { ...failed('max-tokens-exceeded'), notAsked: packed.notAsked }
    }
    const context: AskContext = {
      client,
      wire,
      model,
      countTokens,
      limits,
      learned,
      request,
      deadlineAt,
    }
    const outcome = await askAll(packed.requests, parallelRequests, context)
    return { ...outcome, notAsked: outcome.notAsked + packed.notAsked }
  }

  return {
    traits: { ...wire.traits, wire: wire.id, model, maxQuestions },
    decide: async (request) => {
      const started = now()
      // Only a bug is caught here, such as a counter that throws.
      const outcome = await run(
        request,
        Math.min(started + deadlineMs, request.deadlineAt ?? Infinity),
      ).catch(() => failed('error'))
      const { questions } = request
      return toResult(outcome, { wire: wire.id, model, questions, latencyMs: now() - started })
    },
    breakerState: client.breakerState,
    close: client.close,
  }
}

function requestHeaders(apiKey: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': 'precis',
    ...(apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  }
}
