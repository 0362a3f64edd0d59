import { Pool } from 'undici'
import { quantile } from './statistics.ts'

export interface ClosedLoop {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
}

export interface Callers {
  /** Posts all bodies to `/compact`. Throws where one is not answered with 200. */
  readonly run: (bodies: readonly Buffer[]) => Promise<ClosedLoop>
  readonly close: () => Promise<void>
}

/**
 * So many callers, each of which sends its next request when its last one is answered, over a connection of
 * its own. The addresses share them evenly, as a balancer would.
 */
export function createCallers(count: number, urls: readonly string[]): Callers {
  const connections = Array.from(
    { length: count },
    (_, index) => new Pool(urls[index % urls.length] ?? '', { connections: 1, headersTimeout: 0 }),
  )
  return {
    run: async (bodies) => {
      const times: number[] = []
      const queue = bodies.values()
      const startedAt = performance.now()
      await Promise.all(
        connections.map(async (connection) => {
          for (const body of queue) {
            const sentAt = performance.now()
            await post(connection, body)
            times.push(performance.now() - sentAt)
          }
        }),
      )
      const seconds = (performance.now() - startedAt) / 1_000
      return {
        requestsPerSecond: bodies.length / seconds,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
      }
    },
    close: async () => {
      for (const connection of connections) await connection.close()
    },
  }
}

async function post(connection: Pool, body: Buffer): Promise<void> {
  const { statusCode, body: answer } = await connection.request({
    method: 'POST',
    path: '/compact',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const bytes = await answer.arrayBuffer()
  if (statusCode !== 200) {
    throw new Error(`/compact answered ${statusCode}: ${Buffer.from(bytes).toString()}`)
  }
}
