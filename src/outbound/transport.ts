import { Pool } from 'undici'
import { type OutboundCall, withOutboundSpan } from '../telemetry/tracing/spans.ts'

export interface TransportOptions {
  /** The full URL: path and query are sent as they are. */
  readonly url: string
  readonly connections: number
  readonly connectTimeoutMs: number
  /** Longest wait for the response head, and between two pieces of its body. */
  readonly idleTimeoutMs: number
  readonly maxResponseBytes: number
  readonly trace: OutboundCall
}

export interface TransportResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** undefined when the body is larger than the bound. */
  readonly text: string | undefined
}

export interface Transport {
  /** Rejects with undici's errors, or with the signal's reason; the socket is freed either way. */
  readonly post: (
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<TransportResponse>
  /** Cuts what is still running. */
  readonly close: () => Promise<void>
}

/**
 * A decision model that has been idle takes 2 to 3 s for its first call, much of it connecting:
 * connections are kept as long as the server does not say that it will close them.
 */
const KEEP_ALIVE_MS = 60_000

/** @throws TypeError when the URL is not absolute http(s), or carries credentials */
export function createTransport(options: TransportOptions): Transport {
  const { origin, path } = splitUrl(options.url)
  const { hostname, port } = new URL(origin)
  const call: OutboundCall = {
    name: options.trace.name,
    attributes: {
      'server.address': hostname,
      ...(port !== '' && { 'server.port': Number(port) }),
      ...options.trace.attributes,
    },
  }
  const pool = new Pool(origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs },
    headersTimeout: options.idleTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })

  return {
    post: async (body, headers, signal) => {
      return withOutboundSpan(
        call,
        async (traced) => {
          const response = await pool.request({
            method: 'POST',
            path,
            headers: { ...headers, ...traced },
            body,
            signal,
          })
          // Leaving the body half-read makes the stream fail after its last reader has gone.
          response.body.on('error', () => {})
          const text = await readText(response.body, options.maxResponseBytes)
          return { status: response.statusCode, headers: response.headers, text }
        },
        ({ status }) => status,
      )
    },
    close: () => pool.destroy(),
  }
}

function splitUrl(text: string): { origin: string; path: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError('The URL of an outbound service must be an absolute http or https URL')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The URL of an outbound service must not carry credentials')
  }
  return { origin: url.origin, path: `${url.pathname}${url.search}` }
}

async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}
