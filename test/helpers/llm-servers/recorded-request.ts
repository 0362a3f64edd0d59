import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isRecord, type JsonRecord } from '../wire-rules/json.ts'
import type { LlmApi } from './types.ts'

export interface RecordedLlmRequest {
  readonly method: string
  /** Path and query, as it came. */
  readonly target: string
  readonly api: LlmApi | undefined
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, in the order and the case in which they came. */
  readonly rawHeaders: readonly string[]
  /** The body as it came, its content encoding included. */
  readonly bytes: Buffer
  /** The parsed body; undefined when it is not a JSON object. */
  readonly body: JsonRecord | undefined
  /** Number of the connection, from 1. */
  readonly connection: number
  /** Tokens of the prompt by this server's count; undefined for what it did not count. */
  readonly tokens: number | undefined
  /** Whether it was refused because it does not fit into the window. */
  readonly isOverflow: boolean
  /** Status that was sent; undefined while there is none. */
  readonly status: number | undefined
  /** Bytes of the answer that were handed to the connection so far. */
  readonly sentBytes: number
  /** By `performance.now()`. */
  readonly arrivedAt: number
  /** `aborted`: the connection closed before the answer had ended, on whoever's initiative. */
  readonly closed: Promise<'finished' | 'aborted'>
}

/** The same while it is being answered. */
export type LiveRecord = { -readonly [Name in keyof RecordedLlmRequest]: RecordedLlmRequest[Name] }

export async function recordRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { api, connection }: { readonly api: LlmApi | undefined; readonly connection: number },
): Promise<LiveRecord> {
  const arrivedAt = performance.now()
  const closed = new Promise<'finished' | 'aborted'>((resolve) => {
    response.on('close', () => resolve(response.writableFinished ? 'finished' : 'aborted'))
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    api,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    bytes,
    body: parse(bytes, incoming.headers),
    connection,
    tokens: undefined,
    isOverflow: false,
    status: undefined,
    sentBytes: 0,
    arrivedAt,
    closed,
  }
}

function parse(bytes: Buffer, headers: IncomingHttpHeaders): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(String(decode(bytes, headers['content-encoding'])))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(bytes)
    case 'br':
      return brotliDecompressSync(bytes)
    case 'deflate':
      return inflateSync(bytes)
    default:
      return bytes
  }
}
