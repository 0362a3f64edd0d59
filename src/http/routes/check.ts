import type { FastifyPluginAsync } from 'fastify'
import { type CheckBody, CheckBodySchema, CheckResponseSchema } from '../../contract/check.ts'
import { createAnswerer, JSON_MEDIA_TYPE } from '../answer-work.ts'
import { CONVERSATION_PROBLEMS, problemResponses } from '../schemas/problem-responses.ts'
import type { CompactionRouteOptions } from './compact.ts'

export const checkRoute: FastifyPluginAsync<CompactionRouteOptions> = async (app, options) => {
  const answer = createAnswerer(options)
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
      config: { offloaded: true },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const worked = await answer('check', request, undefined)
      return reply.type(JSON_MEDIA_TYPE).send(worked.answer)
    },
  )
}
