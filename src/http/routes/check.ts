import type { FastifyPluginAsync } from 'fastify'
import { type CheckBody, CheckBodySchema, CheckResponseSchema } from '../../contract/check.ts'
import { type CheckRequest, checkConversation } from '../../conversation/check-conversation.ts'
import { toFormat } from '../known-format.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'
import type { CompactionRouteOptions } from './compact.ts'

export const checkRoute: FastifyPluginAsync<CompactionRouteOptions> = async (
  app,
  { conversation, metrics },
) => {
  app.post<{ Body: CheckBody }>(
    '/check',
    {
      schema: {
        operationId: 'check',
        summary: "Which of the provider's rules a conversation breaks",
        tags: ['compaction'],
        body: CheckBodySchema,
        response: {
          200: {
            description:
              'The violations, each with its place and rule. 200 also where there are some.',
            ...CheckResponseSchema,
          },
          ...problemResponses(...CONVERSATION_PROBLEMS, 'empty-conversation'),
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request) => {
      const result = checkConversation(
        { ...request.body, format: toFormat(request.body.format) } as CheckRequest,
        conversation,
      )
      metrics.checks.inc({ format: result.format, valid: result.valid ? 'true' : 'false' })
      return result
    },
  )
}
