import { Pool } from 'undici'

/** What became of a request. */
export interface Outcome {
  /** The status, or the error of the connection that broke. */
  readonly status: number | string
  /** Of a problem document. */
  readonly code?: string
  readonly hasRetryAfter: boolean
  /** Only where it was asked for. */
  readonly answer?: unknown
}

export interface CompactClient {
  /** Never rejects. `read`: whether the answer is parsed, which takes the generator's time. */
  readonly post: (body: Buffer, read: boolean) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** More than the service serves at once, so that nobody waits for a connection. */
const CONNECTIONS = 1_024

/** Longer than the service's own deadline: what comes after it is the service's fault. */
const TIMEOUT_MS = 60_000

export function createCompactClient(url: string): CompactClient {
  const pool = new Pool(url, {
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  return {
    post: async (bytes, read) => {
      try {
        const { statusCode, headers, body } = await pool.request({
          method: 'POST',
          path: '/compact',
          headers: { 'content-type': 'application/json' },
          body: bytes,
        })
        const hasRetryAfter = headers['retry-after'] !== undefined
        if (statusCode === 200 && !read) {
          for await (const _chunk of body);
          return { status: statusCode, hasRetryAfter }
        }
        const answer = (await body.json()) as { code?: string }
        return {
          status: statusCode,
          hasRetryAfter,
          answer,
          ...(statusCode !== 200 && { code: answer.code ?? 'none' }),
        }
      } catch (error) {
        const { code, name } = error as { code?: string; name?: string }
        return { status: code ?? name ?? 'unknown', hasRetryAfter: false }
      }
    },
    close: () => pool.destroy(),
  }
}
