import { type FastifyInstance, fastify } from 'fastify'

const BODY_LIMIT_BYTES = 64 * 1024 * 1024

export function bareFastify(): FastifyInstance {
  return fastify({ logger: false, bodyLimit: BODY_LIMIT_BYTES })
}

export async function listen(app: FastifyInstance): Promise<void> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  console.log(JSON.stringify({ url }))
}
