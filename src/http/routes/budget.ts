import type { FastifyPluginAsync } from 'fastify'
import { type BudgetBody, BudgetBodySchema, BudgetResponseSchema } from '../../contract/budget.ts'
import { budgetConversation } from '../../conversation/budget-conversation.ts'
import type { BudgetRequest } from '../../conversation/request.ts'
import { recordScope } from '../../telemetry/record-scope.ts'
import { toFormat } from '../known-format.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'
import type { CompactionRouteOptions } from './compact.ts'

export const budgetRoute: FastifyPluginAsync<CompactionRouteOptions> = async (
  app,
  { conversation, metrics },
) => {
  app.post<{ Body: BudgetBody }>(
    '/budget',
    {
      schema: {
        operationId: 'budget',
        summary: 'How many tokens the history may take, and why',
        tags: ['compaction'],
        body: BudgetBodySchema,
        response: {
          200: {
            description: 'The arithmetic, each number with its source.',
            ...BudgetResponseSchema,
          },
          ...problemResponses(...CONVERSATION_PROBLEMS, 'invalid-budget'),
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request) => {
      const result = await budgetConversation(
        { ...request.body, format: toFormat(request.body.format) } as BudgetRequest,
        conversation,
        { modelSignal: request.deadline.signal, modelDeadlineAt: request.deadline.at },
      )
      recordScope(metrics, result.scope)
      return result
    },
  )
}
