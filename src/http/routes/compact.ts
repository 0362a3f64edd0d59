import type { FastifyPluginAsync } from 'fastify'
import {
  type CompactBody,
  CompactBodySchema,
  CompactResponseSchema,
} from '../../contract/compact.ts'
import { compactAnswer } from '../../conversation/compact-answer.ts'
import { compactConversation } from '../../conversation/compact-conversation.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import type { ConversationServices } from '../../conversation/services.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { recordCompaction } from '../../telemetry/record-compaction.ts'
import { createStageTimer } from '../../telemetry/stage-timer.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import { postedConversation } from '../body/posted-conversation.ts'
import { toFormat } from '../known-format.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'

const JSON_MEDIA_TYPE = 'application/json; charset=utf-8'

export interface CompactionRouteOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
}

export const compactRoute: FastifyPluginAsync<CompactionRouteOptions> = async (
  app,
  { conversation, metrics },
) => {
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
      // The schema documents; serialising by it would walk every message for nothing.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const timer = createStageTimer()
      const posted = postedConversation(request)
      const result = await compactConversation(
        { ...request.body, format: toFormat(request.body.format) } as CompactRequest,
        conversation,
        {
          signal: request.signal,
          modelSignal: request.deadline.signal,
          modelDeadlineAt: request.deadline.at,
          observer: timer,
          itemBytes: posted.itemBytes,
        },
      )
      recordCompaction(metrics, result, timer)
      // Encoded here: what was not edited keeps the bytes that it was posted with.
      const bytes = encodeJsonWith(
        compactAnswer(result, timer),
        new Map([[result.list, (sink) => posted.write(sink, result.conversation)]]),
      )
      return reply.type(JSON_MEDIA_TYPE).send(bytes)
    },
  )
}
