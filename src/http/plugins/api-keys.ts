import { createHash, timingSafeEqual } from 'node:crypto'
import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'
import { isWork } from '../route-config.ts'

export interface ApiKeysOptions {
  /** Any of these will do; none at all: nobody is asked. */
  readonly keys: readonly string[]
}

/** Asks for `Authorization: Bearer <key>` on every route that is not open. */
export const apiKeys = fastifyPlugin<ApiKeysOptions>(
  async (app, { keys }) => {
    if (keys.length === 0) return
    const digests = keys.map(digest)
    app.addHook('onRequest', async (request) => {
      if (!isWork(request)) return
      const key = bearerKey(request.headers.authorization)
      if (key === undefined) {
        throw new PrecisError('unauthorized', 'Send a key as Authorization: Bearer <key>.')
      }
      if (!matches(digests, digest(key))) {
        throw new PrecisError('unauthorized', 'The key is not one of this service.')
      }
    })
  },
  { name: 'api-keys', fastify: '5.x' },
)

function bearerKey(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1]
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Compares digests, of equal length, and every one of them: time tells neither which nor how nearly. */
function matches(digests: readonly Buffer[], candidate: Buffer): boolean {
  let found = false
  for (const known of digests) found = timingSafeEqual(known, candidate) || found
  return found
}
