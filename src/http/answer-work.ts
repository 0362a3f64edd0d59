import type { FastifyRequest } from 'fastify'
import type { ConversationServices } from '../conversation/services.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { WORK, type WorkName } from '../workers/work-table.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8'

export interface AnswererOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly workers: WorkerPool | undefined
}

/** Does the work of a request here, or on another thread where its body was left to that. */
export function createAnswerer({ conversation, metrics, workers }: AnswererOptions) {
  return async (name: WorkName, request: FastifyRequest): Promise<Buffer> => {
    const { signal, deadline, rawBody } = request
    const modelDeadlineAt = deadline.at
    if (request.isForWorker && rawBody !== null && workers !== undefined) {
      // The bytes change hands.
      request.rawBody = null
      return workers.run(name, rawBody, { signal, modelDeadlineAt })
    }
    return WORK[name].work(request, {
      conversation,
      metrics,
      run: { signal, modelSignal: deadline.signal, modelDeadlineAt },
    })
  }
}
