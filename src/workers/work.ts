/** What can be done with a body apart from the request that brought it: on this thread or another. */
import type { RunPorts } from '../conversation/edit-conversation.ts'
import type { ConversationServices } from '../conversation/services.ts'
import type { PostedBody } from '../http/body/posted-conversation.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface WorkContext {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly run: Pick<RunPorts, 'signal' | 'modelSignal' | 'modelDeadlineAt'>
}

/** The bytes of the answer, which is JSON. Throws PrecisError. */
export type Work = (posted: PostedBody, context: WorkContext) => Buffer | Promise<Buffer>
