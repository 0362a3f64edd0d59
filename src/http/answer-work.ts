import type { FastifyRequest } from 'fastify'
import type { ConversationServices } from '../conversation/services.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Worked } from '../workers/work.ts'
import { type AskOf, type ToldOf, type WorkName, workOf } from '../workers/work-table.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { createJsonDecoder } from './body/decode-json.ts'
import { inTime } from './in-time.ts'

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8'

export interface AnswererOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly workers: WorkerPool | undefined
}

export interface AnswerLimits {
  /**
   * Time for the answer from now on, for work that keeps to it by itself: a thread that does not is no
   * longer waited for. Unset: the request's own deadline.
   */
  readonly limitMs?: number
  /** The bytes of the body are needed whatever becomes of a thread. */
  readonly keepsBody?: boolean
}

export type Answerer = <Name extends WorkName>(
  name: Name,
  request: FastifyRequest,
  ask: AskOf<Name>,
  limits?: AnswerLimits,
) => Promise<Worked<ToldOf<Name>>>

/**
 * Does the work of a request here, or on another thread where its body was left to that. Throws what
 * the work throws, and where a thread is not waited for, or not to be had, PrecisError.
 */
export function createAnswerer({ conversation, metrics, workers }: AnswererOptions): Answerer {
  const decodeJson = createJsonDecoder()

  return async <Name extends WorkName>(
    name: Name,
    request: FastifyRequest,
    ask: AskOf<Name>,
    { limitMs, keepsBody = false }: AnswerLimits = {},
  ): Promise<Worked<ToldOf<Name>>> => {
    const { signal, deadline, rawBody } = request
    const onFailure = (error: unknown): void => {
      request.log.error({ err: error }, 'request failed')
    }
    if (request.isForWorker && rawBody !== null && workers !== undefined) {
      const body = keepsBody ? Buffer.from(rawBody) : rawBody
      // The bytes change hands.
      if (!keepsBody) request.rawBody = null
      if (limitMs === undefined) {
        return workers.run(name, body, ask, { signal, modelDeadlineAt: deadline.at, onFailure })
      }
      return inTime({ caller: signal, limitMs }, (ports) =>
        workers.run(name, body, ask, { ...ports, onFailure }),
      )
    }
    const worked = await workOf(name)(request, ask, {
      conversation,
      metrics,
      decodeJson,
      run: { signal, modelSignal: deadline.signal, modelDeadlineAt: deadline.at },
      askedAt: performance.now(),
      onFailure,
    })
    return worked as Worked<ToldOf<Name>>
  }
}
