import type {
  SummarizeFailure,
  SummarizePort,
  SummarizeRequest,
  SummarizeResult,
} from '../engine/ports.ts'
import type { OutboundObserver, OutboundResult } from '../outbound/outbound.ts'
import { createOutboundClient } from '../outbound/outbound-client.ts'
import { createAnthropicDialect } from './anthropic-dialect.ts'
import { classifyFailure } from './classify-failure.ts'
import type { SummarizerDialect } from './dialect.ts'
import { createOpenaiDialect } from './openai-dialect.ts'

export interface SummarizerOptions {
  readonly dialect: 'openai' | 'anthropic'
  /** Full URL of the endpoint: `…/v1/chat/completions` or `…/v1/messages`. */
  readonly url: string
  /** Left out, no authentication header is sent. */
  readonly apiKey?: string
  readonly model: string
  /** Milliseconds of one summary over everything: waiting for a turn, the attempt and its retry. */
  readonly timeoutMs: number
  /** Most tokens of instructions + input; the engine packs to it, nothing is cut here. */
  readonly maxInputTokens: number
  /** Most tokens of a summary; reasoning models spend their thoughts from it too. */
  readonly maxOutputTokens: number
  /** Summaries that are written at a time. Default 4: each one occupies a model for many seconds. */
  readonly maxConcurrency?: number
  /** Name of the output limit in the OpenAI dialect. Default `max_completion_tokens`. */
  readonly tokenLimitMember?: 'max_completion_tokens' | 'max_tokens'
  /** Told of every attempt and of the breaker; never of a text. */
  readonly observer?: OutboundObserver
}

export type Summarizer = SummarizePort & {
  /** Summaries that are being written end as `aborted`. */
  readonly close: () => Promise<void>
}

const DEFAULT_MAX_CONCURRENCY = 4

/**
 * A language model behind an HTTP endpoint as the engine's summariser. Every failure is a value:
 * `summarize` never rejects. Failures that may pass are retried once, within `timeoutMs` and the
 * caller's signal. Nothing of a request or an answer is logged or kept.
 *
 * @throws TypeError when the URL is not usable
 */
export const createSummarizer = (options: SummarizerOptions): Summarizer => {
  const { model, timeoutMs, maxInputTokens, maxOutputTokens, observer } = options
  const dialect = createDialect(options)
  const client = createOutboundClient({
    url: options.url,
    headers: dialect.headers(options.apiKey),
    timeoutMs,
    maxConcurrency: options.maxConcurrency ?? DEFAULT_MAX_CONCURRENCY,
    classify: classifyFailure,
    // Names and attributes of OpenTelemetry's semantic conventions for generative AI.
    trace: {
      name: `chat ${model}`,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': options.dialect,
        'gen_ai.request.model': model,
      },
    },
    ...(observer === undefined ? {} : { observer }),
  })

  return {
    model,
    maxInputTokens,
    summarize: async ({ instructions, input, signal }) => {
      const body = dialect.body({
        model,
        instructions: toWellFormed(instructions),
        input: toWellFormed(input),
        maxOutputTokens,
      })
      // A retry must not double the time that a caller waits: a model that was too slow stays so.
      const deadlineAt = performance.now() + timeoutMs
      const result = await client.send(body, { signal, deadlineAt })
      return result.ok
        ? readAnswer(result, dialect, model)
        : { ok: false, failure: nameFailure(result.failure, signal), latencyMs: result.latencyMs }
    },
    close: client.close,
  }
}

const createDialect = ({ dialect, tokenLimitMember }: SummarizerOptions): SummarizerDialect =>
  dialect === 'anthropic' ? createAnthropicDialect() : createOpenaiDialect(tokenLimitMember)

const readAnswer = (
  { json, status, latencyMs }: Extract<OutboundResult, { ok: true }>,
  dialect: SummarizerDialect,
  model: string,
): SummarizeResult => {
  const reply = dialect.read(json)
  return reply === null
    ? { ok: false, failure: classifyFailure(status, json), latencyMs }
    : {
        ok: true,
        text: reply.text,
        model: reply.model ?? model,
        toolCalls: reply.toolCalls,
        refused: reply.refused,
        truncated: reply.truncated,
        latencyMs,
      }
}

/** The deadline given above is this summariser's own: only the caller's signal is the caller's. */
const nameFailure = (
  failure: SummarizeFailure,
  signal: SummarizeRequest['signal'],
): SummarizeFailure => (failure === 'deadline' && !signal.aborted ? 'timeout' : failure)

/** Providers refuse a body with half a surrogate pair, and tool output that was cut has some. */
const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD')
