import type { FastifyPluginAsync } from 'fastify'
import {
  type CompactBody,
  CompactBodySchema,
  CompactResponseSchema,
} from '../../contract/compact.ts'
import type { ConversationServices } from '../../conversation/services.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { WorkerPool } from '../../workers/worker-pool.ts'
import { createAnswerer, JSON_MEDIA_TYPE } from '../answer-work.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'

export interface CompactionRouteOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly workers: WorkerPool | undefined
}

export const compactRoute: FastifyPluginAsync<CompactionRouteOptions> = async (app, options) => {
  const answer = createAnswerer(options)
  app.post<{ Body: CompactBody }>(
    '/compact',
    {
      schema: {
        operationId: 'compact',
        summary: 'Make a conversation smaller',
        tags: ['compaction'],
        body: CompactBodySchema,
        response: {
          200: {
            description: 'The conversation and what was done to it.',
            ...CompactResponseSchema,
          },
          ...problemResponses(...CONVERSATION_PROBLEMS, 'empty-conversation', 'invalid-budget'),
        },
      },
      config: { offloaded: true },
      // The schema documents; serialising by it would walk every message for nothing.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const worked = await answer('compact', request, undefined)
      return reply.type(JSON_MEDIA_TYPE).send(worked.answer)
    },
  )
}
