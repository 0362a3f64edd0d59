import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { isProxied, isWork } from '../route-config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the key that the request came with; undefined where none is asked for. */
    caller: string | undefined
  }
}

export interface ApiKeysOptions {
  readonly keys: KeyRing
}

/** Where a proxied route takes the key: its `authorization` belongs to the upstream. */
export const PROXY_KEY_HEADER = 'x-precis-api-key'

/**
 * Asks for `Authorization: Bearer <key>` on every route that is not open, and for the key in
 * `x-precis-api-key` on one that is proxied.
 */
export const apiKeys = fastifyPlugin<ApiKeysOptions>(
  async (app, { keys }) => {
    app.decorateRequest('caller', undefined)
    if (!keys.isAsked) return
    app.addHook('onRequest', async (request) => {
      if (!isWork(request)) return
      const isForUpstream = isProxied(request)
      const key = isForUpstream
        ? plainKey(request.headers[PROXY_KEY_HEADER])
        : (gatewayKey(request) ?? bearerKey(request.headers.authorization))
      if (key === undefined) {
        const where = isForUpstream ? `${PROXY_KEY_HEADER}: <key>` : 'Authorization: Bearer <key>'
        throw new PrecisError('unauthorized', `Send a key as ${where}.`)
      }
      request.caller = keys.recognise(key)
      if (request.caller === undefined) {
        throw new PrecisError('unauthorized', 'The key is not one of this service.')
      }
    })
  },
  { name: 'api-keys', fastify: '5.x' },
)

/** A gateway whose contract has a header of its own may send the key there: `authorization` may be its client's. */
function gatewayKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const name = routeOptions.config.keyHeader
  return name === undefined ? undefined : plainKey(headers[name])
}

function bearerKey(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1]
}

function plainKey(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}
