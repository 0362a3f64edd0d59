import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'undici'
import { type MetricSamples, readMetricSamples } from './metric-samples.ts'

export interface ServiceAnswer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** From the first byte sent to the last one received. */
  readonly milliseconds: number
}

export interface SendOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  /** Sent as it is, or as JSON where it is neither text nor bytes. */
  readonly body?: unknown
  /** Beside `content-type: application/json`, which null leaves out. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly signal?: AbortSignal
}

export interface ServiceClient {
  readonly send: (path: string, options?: SendOptions) => Promise<ServiceAnswer>
  /** Posts, and gives the parsed answer. Throws for any status but 200. */
  readonly ask: <Answer>(path: string, body: unknown) => Promise<Answer & { milliseconds: number }>
  readonly metrics: () => Promise<MetricSamples>
  readonly close: () => Promise<void>
}

/** What a caller has: an HTTP client and the base URL of a service. */
export function createServiceClient(baseUrl: string): ServiceClient {
  const dispatcher = new Agent()

  async function send(path: string, options: SendOptions = {}): Promise<ServiceAnswer> {
    const { method = 'GET', body, signal } = options
    const headers = Object.entries({
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    }).filter(([, value]) => value !== null)
    const startedAt = performance.now()
    const response = await request(`${baseUrl}${path}`, {
      dispatcher,
      method,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body !== undefined && { body: toBytes(body) }),
      ...(signal !== undefined && { signal }),
    })
    const text = await response.body.text()
    return {
      statusCode: response.statusCode,
      headers: response.headers,
      body: text,
      milliseconds: performance.now() - startedAt,
    }
  }

  return {
    send,
    ask: async (path, body) => {
      const answer = await send(path, { method: 'POST', body })
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`)
      return { ...JSON.parse(answer.body), milliseconds: answer.milliseconds }
    },
    metrics: async () => readMetricSamples((await send('/metrics')).body),
    close: () => dispatcher.destroy(),
  }
}

function toBytes(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}
