/** What can be done with a body apart from the request that brought it: on this thread or another. */
import type { RunPorts } from '../conversation/edit-conversation.ts'
import type { ConversationServices } from '../conversation/services.ts'
import type { DecodeJson } from '../http/body/decode-json.ts'
import type { PostedBody } from '../http/body/posted-conversation.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface WorkContext {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  /** `signal` aborts when nobody waits for the answer any more. */
  readonly run: Pick<RunPorts, 'signal' | 'modelSignal' | 'modelDeadlineAt'>
  /** For work that reads its bytes itself; one for all of a thread, whose scratch is used again. */
  readonly decodeJson: DecodeJson
  /** On the clock of `performance.now()`: what waited for a thread has been asked for long before it runs. */
  readonly askedAt: number
  /** Told of what nobody expected, where there is an answer all the same. */
  readonly onFailure: (error: unknown) => void
}

export interface Worked<Told> {
  /** Bytes for whoever sent the body, or for whom it was sent to. */
  readonly answer: Buffer
  /** What the service itself wants to know. Plain data. */
  readonly told: Told
}

/**
 * `ask` is what the request says beside its body, as plain data: both it and `told` go from thread to
 * thread. Throws PrecisError.
 */
export type Work<Ask, Told> = (
  posted: PostedBody,
  ask: Ask,
  context: WorkContext,
) => Worked<Told> | Promise<Worked<Told>>
