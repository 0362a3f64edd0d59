import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { withOutboundSpan } from '../telemetry/tracing/spans.ts'
import type { RawHeaders } from './hop-by-hop.ts'
import type { UpstreamName } from './names.ts'
import { UpstreamError } from './upstream-error.ts'
import { createUpstreamUrl } from './upstream-url.ts'

export interface UpstreamCall {
  readonly method: string
  /** Path and query string as the caller asked for them. */
  readonly path: string
  readonly headers: RawHeaders
  /** Empty: no body. */
  readonly body: Buffer
  /** Ends the call at once, whatever it waits for; the connection is closed. */
  readonly signal: AbortSignal
}

export interface UpstreamAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
  /** As the upstream sends it, packed or not. Has to be read, or destroyed. */
  readonly body: Readable
}

export interface Upstream {
  readonly name: UpstreamName
  /** Resolves with the head of the answer. Rejects with UpstreamError. Never tries again. */
  readonly send: (call: UpstreamCall) => Promise<UpstreamAnswer>
  /** Cuts what is still running. */
  readonly close: () => Promise<void>
}

export interface UpstreamOptions {
  readonly name: UpstreamName
  readonly baseUrl: string
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
}

/** Providers answer connection attempts within a round trip; the rest of the time is the kernel's retries. */
const CONNECT_TIMEOUT_MS = 10_000

/** By OpenTelemetry's semantic conventions for generative AI. */
const PROVIDER_NAMES: Readonly<Record<UpstreamName, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
}

/** Most bytes of an answer's headers: as generous as the service is with those of requests. */
const MAX_ANSWER_HEADER_BYTES = 128 * 1024

/**
 * One provider. Connections are reused as long as the server says that it keeps them, or 4 seconds
 * (undici's default) where it says nothing: a server may close an idle one while a request is on its
 * way, and a generation must not be sent twice. Their number follows that of the requests in flight,
 * which load shedding bounds.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, baseUrl, headersTimeoutMs, idleTimeoutMs } = options
  const { origin, pathFor } = createUpstreamUrl(name, baseUrl)
  const { hostname, port } = new URL(origin)
  const attributes = {
    'gen_ai.provider.name': PROVIDER_NAMES[name],
    'server.address': hostname,
    ...(port !== '' && { 'server.port': Number(port) }),
  }
  const pool = new Pool(origin, {
    connections: null,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
  })

  return {
    name,
    send: async ({ method, path, headers, body, signal }) => {
      try {
        const answer = await withOutboundSpan(
          { name: `proxy ${name}`, attributes: { ...attributes, 'http.request.method': method } },
          (trace) =>
            pool.request({
              method: method as 'POST',
              path: pathFor(path),
              headers: withTrace(headers, trace),
              body: body.length === 0 ? null : body,
              signal,
              responseHeaders: 'raw',
            }),
          ({ statusCode }) => statusCode,
        )
        return {
          status: answer.statusCode,
          statusText: answer.statusText,
          // With `responseHeaders: 'raw'` they are a flat list, which the types do not say.
          headers: answer.headers as unknown as string[],
          body: answer.body,
        }
      } catch (error) {
        throw new UpstreamError(signal.aborted ? 'aborted' : failureOf(error), { cause: error })
      }
    },
    close: () => pool.destroy(),
  }
}

/** The caller's own trace goes on as it came, unless this service has a span in it. */
function withTrace(headers: RawHeaders, trace: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(trace)
  if (names.length === 0) return [...headers]
  const others = headers.filter((_text, index) => {
    const name = headers[index - (index % 2)]?.toLowerCase() ?? ''
    return !names.includes(name)
  })
  return [...others, ...Object.entries(trace).flat()]
}

const TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'ETIMEDOUT',
])

function failureOf(error: unknown): 'timeout' | 'unreachable' {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return TIMEOUT_CODES.has(code) ? 'timeout' : 'unreachable'
}
