import type { ConversationServices } from '../conversation/services.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Asked } from './asked.ts'
import type { ProxyReason } from './names.ts'
import type { ProxyNote } from './note.ts'
import type { Overflow } from './overflow/recognise.ts'
import type { BodyReader } from './read-body.ts'
import type { Generation } from './surface.ts'

/** A request as it goes to the upstream. */
export interface Prepared {
  readonly body: Buffer
  /** Whether `body` is not what came: plain JSON then. */
  readonly isRewritten: boolean
  readonly note: ProxyNote
  /**
   * Completes the note of a request that is surely within its budget, and so need not wait to be
   * counted: that can be done while the upstream works.
   */
  readonly count?: () => Promise<ProxyNote>
  /**
   * A request that answers in events, and may be too long for its model: what the upstream says of
   * that in its first events is worth a look.
   */
  readonly mayBeTooLong?: boolean
  /**
   * The request made smaller than it was, after the upstream found it too long; undefined where it
   * cannot be. Absent where the proxy is not to touch it, or does not understand it.
   */
  readonly harder?: (overflow: Overflow) => Promise<Prepared | undefined>
}

export interface PrepareCall {
  readonly body: Buffer
  readonly encoding: string | undefined
  /** Undefined: a call of another kind. */
  readonly generation: Generation | undefined
  readonly asked: Asked
  /** Aborts when the caller leaves; then preparing throws. */
  readonly signal: AbortSignal
  /** Takes what is to be called when the request is over. */
  readonly whenOver: (release: () => void) => void
  /** Told of what nobody expected. */
  readonly onFailure: (error: unknown) => void
}

export interface PrepareOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly reader: BodyReader
  readonly deadlineMs: number
}

export type Prepare = (call: PrepareCall) => Promise<Prepared>

export function asItCame(body: Buffer, note: ProxyNote): Prepared {
  return { body, isRewritten: false, note }
}

export function passed(body: Buffer, reason: ProxyReason): Prepared {
  return asItCame(body, { outcome: 'passed', reason })
}
