import type { FastifyPluginAsync } from 'fastify'

/** Serves the document that describes the service, itself included. */
export const openapiRoute: FastifyPluginAsync = async (app) => {
  let document: string | undefined
  app.get(
    '/openapi.json',
    {
      config: { open: true },
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
        tags: ['operation'],
        security: [],
        response: {
          200: {
            description: 'The OpenAPI document of the service.',
            content: {
              'application/json': { schema: { type: 'object', additionalProperties: true } },
            },
          },
        },
      },
    },
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json').send(document)
    },
  )
}
