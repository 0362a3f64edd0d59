import type { OutboundCall } from '../telemetry/tracing/spans.ts'
import type { ClassifyResponse } from './attempt.ts'
import type { BreakerState } from './circuit-breaker.ts'
import type { OutboundFailure } from './failure.ts'

/** One attempt, for metrics. Carries no text and no URL. */
export interface AttemptReport {
  readonly outcome: 'ok' | OutboundFailure
  readonly status?: number
  readonly latencyMs: number
}

export interface OutboundObserver {
  readonly onAttempt?: (report: AttemptReport) => void
  readonly onBreaker?: (state: BreakerState) => void
}

export interface OutboundClientOptions {
  /** Full URL, path and query included. */
  readonly url: string
  /** Sent with every request, in lower case. `content-type` is set here unless given. */
  readonly headers?: Readonly<Record<string, string>>
  /** Per attempt, response body included. Default 5,000. */
  readonly timeoutMs?: number
  /**
   * How long an attempt that its caller's deadline ended has to have run to count as a failing server.
   * Default: half of `timeoutMs`; less where no caller waits that long.
   */
  readonly longAttemptMs?: number
  /** Default: the smaller of 2,000 and `timeoutMs`. */
  readonly connectTimeoutMs?: number
  /** Default 1. */
  readonly maxRetries?: number
  /** A server that wants to be left alone for longer is not retried. Default 10,000. */
  readonly maxRetryAfterMs?: number
  /** Calls that run at a time, their backoff included; also the number of sockets. Default 8. */
  readonly maxConcurrency?: number
  /** Calls that may wait for their turn. Default 64. */
  readonly maxQueue?: number
  /** Longest wait for a turn. Default `timeoutMs`. */
  readonly maxWaitMs?: number
  /** Default 4 MiB. */
  readonly maxResponseBytes?: number
  /** Consecutive failed attempts that open the breaker. Default 5. */
  readonly breakerThreshold?: number
  /** Default 10,000. */
  readonly breakerOpenMs?: number
  /** After an authentication failure, which opens at once. Default 300,000. */
  readonly breakerRefusedOpenMs?: number
  readonly classify?: ClassifyResponse
  readonly observer?: OutboundObserver
  /** How a call shows in a trace. Default: as `call`, without attributes. */
  readonly trace?: OutboundCall
  /** Jitter, in [0, 1). Default Math.random. */
  readonly random?: () => number
  /** Monotonic milliseconds. Default performance.now. */
  readonly now?: () => number
  /** Milliseconds since the epoch, for Retry-After dates. Default Date.now. */
  readonly wallNow?: () => number
}

interface SendOptions {
  readonly signal?: AbortSignal
  /** Absolute milliseconds of `now` (performance.now), over every wait and attempt. */
  readonly deadlineAt?: number
  /** Beside the client's own. */
  readonly headers?: Readonly<Record<string, string>>
}

export type OutboundResult =
  | {
      readonly ok: true
      readonly json: unknown
      readonly status: number
      /** Requests sent, this one included. */
      readonly attempts: number
      readonly latencyMs: number
    }
  | {
      readonly ok: false
      readonly failure: OutboundFailure
      /** Of the last response, where there was one. */
      readonly status?: number
      /** Body of that response, where it was JSON. Servers echo what they were sent: never log it. */
      readonly json?: unknown
      readonly attempts: number
      readonly latencyMs: number
    }

export interface OutboundClient {
  /** Posts JSON. Never rejects. */
  readonly send: (body: unknown, options?: SendOptions) => Promise<OutboundResult>
  readonly breakerState: () => BreakerState
  /** Calls that run or wait end as `aborted`, and so does every later one. */
  readonly close: () => Promise<void>
}
