import type { FastifyPluginAsync } from 'fastify'
import { type CompactResult, compactConversation } from '../../conversation/compact-conversation.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import type { ConversationServices } from '../../conversation/services.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { recordCompaction } from '../../telemetry/record-compaction.ts'
import { createStageTimer, type StageTimer } from '../../telemetry/stage-timer.ts'
import { encodeJson } from '../body/encode-json.ts'
import { toFormat } from '../known-format.ts'
import { type CompactBody, CompactBodySchema, CompactResponseSchema } from '../schemas/compact.ts'
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
      const result = await compactConversation(
        { ...request.body, format: toFormat(request.body.format) } as CompactRequest,
        conversation,
        {
          signal: request.signal,
          modelSignal: request.deadline.signal,
          observer: timer,
        },
      )
      recordCompaction(metrics, result, timer)
      // Encoded here: as bytes the answer is made in parts, without one string of its whole size.
      return reply.type(JSON_MEDIA_TYPE).send(encodeJson(toBody(result, timer)))
    },
  )
}

function toBody(result: CompactResult, timer: StageTimer) {
  const { report } = result
  return {
    outcome: report.outcome,
    compacted: report.outcome !== 'unchanged',
    fits: report.fits,
    format: result.format,
    tokenizer: result.tokenizer,
    stagesUsed: report.stagesUsed,
    tokensBefore: report.tokensBefore,
    tokensAfter: report.tokensAfter,
    tokensSaved: report.tokensBefore - report.tokensAfter,
    budget: result.budget,
    stages: report.stages.map((stage) => ({ ...stage, durationMs: timer.durationMs(stage.stage) })),
    relevance: report.relevance ?? null,
    summary: report.summary ?? null,
    actions: report.actions,
    warnings: report.warnings,
    messages: result.messages,
  }
}
