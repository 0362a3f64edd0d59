import fastifyPlugin from 'fastify-plugin'
import type { AppServices } from '../../app-services.ts'
import { PrecisError } from '../../engine/errors.ts'
import { isWork } from '../route-config.ts'

export interface DrainingOptions {
  readonly phase: AppServices['phase']
}

/**
 * Refuses new work once the service only finishes what it has begun. Fastify's own answer to that
 * (`return503OnClosing`) is no problem document and comes before every hook.
 */
export const draining = fastifyPlugin<DrainingOptions>(
  async (app, { phase }) => {
    app.addHook('onRequest', async (request, reply) => {
      if (phase() !== 'refusing' || !isWork(request)) return
      void reply.header('connection', 'close')
      throw new PrecisError('shutting-down', 'Ask another instance, or this one again later.', {
        retryAfter: 5,
      })
    })
  },
  { name: 'draining', fastify: '5.x' },
)
