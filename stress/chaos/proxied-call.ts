import { Agent } from 'node:http'
import { openRaw, readWhole } from '../../test/helpers/proxy/raw-client.ts'
import type { ProxiedRequest } from './proxied-requests.ts'

export interface ProxiedOutcome {
  readonly request: ProxiedRequest
  /** 0 where there was no head. */
  readonly status: number
  /** Of a problem document. */
  readonly code: string | undefined
  readonly bytes: Buffer
  /** Whether HTTP says that these were all. */
  readonly isWhole: boolean
  /** The client left while the answer was coming. */
  readonly hasLeft: boolean
  readonly precisOutcome: string | undefined
  readonly upstreamId: string | undefined
  readonly retryAfter: string | undefined
  readonly ms: number
}

export interface ProxiedClient {
  /** Never rejects. Leaves where the answer is not whole after `leaveAfterMs`. */
  readonly call: (request: ProxiedRequest, leaveAfterMs: number) => Promise<ProxiedOutcome>
  readonly close: () => void
}

const NO_HEAD = {
  status: 0,
  code: undefined,
  bytes: Buffer.alloc(0),
  isWhole: false,
  precisOutcome: undefined,
  upstreamId: undefined,
  retryAfter: undefined,
}

/** A provider's client, but for that it gives exactly what came. */
export function createProxiedClient(origin: string): ProxiedClient {
  const agent = new Agent({ keepAlive: true })
  return {
    call: async (request, leaveAfterMs) => {
      const startedAt = performance.now()
      const headers = { ...request.headers }
      const opening = openRaw(`${origin}${request.path}`, { headers, body: request.body, agent })
      let hasLeft = false
      const leave = () => {
        hasLeft = true
        void opening.then((response) => response.destroy()).catch(() => {})
      }
      const timer = setTimeout(leave, leaveAfterMs)
      try {
        const answer = await readWhole(await opening)
        return {
          request,
          status: answer.status,
          code: codeOf(answer),
          bytes: answer.bytes,
          isWhole: answer.isWhole,
          hasLeft,
          precisOutcome: answer.headers['x-precis-outcome'] as string | undefined,
          upstreamId: answer.headers['x-request-id'] as string | undefined,
          retryAfter: answer.headers['retry-after'],
          ms: performance.now() - startedAt,
        }
      } catch {
        return { ...NO_HEAD, request, hasLeft, ms: performance.now() - startedAt }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}

function codeOf(answer: {
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}): string | undefined {
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json')
  return isProblem ? String(JSON.parse(answer.bytes.toString()).code) : undefined
}
