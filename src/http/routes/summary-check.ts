import type { FastifyPluginAsync } from 'fastify'
import {
  type SummaryCheckBody,
  SummaryCheckBodySchema,
  SummaryCheckResponseSchema,
} from '../../contract/summary-check.ts'
import { checkSummary, type SummaryCheckRequest } from '../../conversation/check-summary.ts'
import { recordGate } from '../../telemetry/record-compaction.ts'
import { toFormat } from '../known-format.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'
import type { CompactionRouteOptions } from './compact.ts'

export const summaryCheckRoute: FastifyPluginAsync<CompactionRouteOptions> = async (
  app,
  { conversation, metrics },
) => {
  app.post<{ Body: SummaryCheckBody }>(
    '/summary-check',
    {
      schema: {
        operationId: 'checkSummary',
        summary: 'Whether a summary may replace the messages that it covers',
        tags: ['compaction'],
        body: SummaryCheckBodySchema,
        response: {
          200: {
            description: 'The verdict, with what it rests on.',
            ...SummaryCheckResponseSchema,
          },
          ...problemResponses(...CONVERSATION_PROBLEMS, 'empty-conversation'),
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request) => {
      const { gate, ...result } = await checkSummary(
        { ...request.body, format: toFormat(request.body.format) } as SummaryCheckRequest,
        conversation,
        { modelSignal: request.deadline.signal, modelDeadlineAt: request.deadline.at },
      )
      if (gate !== null) recordGate(metrics, gate)
      return {
        ...result,
        ...(gate?.preserves !== undefined && { preserves: gate.preserves }),
        ...(gate?.isRefusal !== undefined && { isRefusal: gate.isRefusal }),
        failOpen: gate?.failOpen ?? null,
      }
    },
  )
}
