import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { Readiness } from '../../app-services.ts'

export interface HealthOptions {
  readonly readiness: () => Readiness
}

const LiveSchema = Type.Object({ status: Type.Enum(['ok']) })

const ReadinessSchema = Type.Object({
  ready: Type.Boolean(),
  reasons: Type.Array(Type.String(), { description: 'Why the service takes no work.' }),
})

/** `/healthz`: the process runs, restart it if not. `/readyz`: send it work. */
export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { readiness }) => {
  app.get(
    '/healthz',
    {
      config: { open: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        tags: ['operation'],
        security: [],
        response: { 200: { description: 'It is.', ...LiveSchema } },
      },
    },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      config: { open: true },
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether the service takes work',
        tags: ['operation'],
        security: [],
        response: {
          200: { description: 'It does.', ...ReadinessSchema },
          503: { description: 'It does not, for these reasons.', ...ReadinessSchema },
        },
      },
    },
    async (_request, reply) => {
      const state = readiness()
      return reply.code(state.ready ? 200 : 503).send(state)
    },
  )
}
