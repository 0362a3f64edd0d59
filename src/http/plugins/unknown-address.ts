import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'

/**
 * Refuses unknown paths, and unknown methods of known paths, before a body is read: Fastify's handler
 * for them comes after it, with no key asked for and no limit in force.
 */
export const unknownAddress = fastifyPlugin(
  async (app) => {
    const methodsByPath = new Map<string, Set<string>>()
    app.addHook('onRoute', ({ url, method }) => {
      const methods = methodsByPath.get(url) ?? new Set()
      for (const name of [method].flat()) methods.add(name)
      methodsByPath.set(url, methods)
    })
    app.addHook('onRequest', async (request, reply) => {
      if (!request.is404) return
      const methods = methodsByPath.get(request.url.split('?', 1)[0] ?? '')
      if (methods === undefined) {
        throw new PrecisError('not-found', 'There is nothing at this path.')
      }
      const allow = [...methods].sort().join(', ')
      void reply.header('allow', allow)
      throw new PrecisError('method-not-allowed', `This path takes ${allow}.`)
    })
  },
  { name: 'unknown-address', fastify: '5.x' },
)
