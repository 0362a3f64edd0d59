import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** What came before the end, or before the connection broke. */
  readonly bytes: Buffer
  /** Whether HTTP says that this was all: false where it broke off. */
  readonly isWhole: boolean
}

export interface RawCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /** Sent in chunks of so many bytes, without a content-length. */
  readonly chunkBytes?: number
  readonly agent?: Agent
}

/** Sends exactly what it is told and gives exactly what came: no unpacking, no joining of headers. */
export async function callRaw(url: string, call: RawCall = {}): Promise<RawAnswer> {
  const response = await openRaw(url, call)
  return readWhole(response)
}

/** The answer as soon as its head is there, its body not read yet. */
export function openRaw(url: string, call: RawCall = {}): Promise<IncomingMessage> {
  const { method = 'POST', headers = {}, body = '', chunkBytes, agent } = call
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method,
        agent: agent ?? new Agent({ maxSockets: 1 }),
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...(chunkBytes === undefined && method !== 'GET'
            ? { 'content-length': bytes.length }
            : {}),
          ...(headers as Record<string, string>),
        },
        maxHeaderSize: 512 * 1024,
      },
      resolve,
    )
    request.once('error', reject)
    for (let at = 0; chunkBytes !== undefined && at < bytes.length; at += chunkBytes) {
      request.write(bytes.subarray(at, at + chunkBytes))
    }
    if (chunkBytes === undefined) request.end(bytes)
    else request.end()
  })
}

export async function readWhole(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', () => {})
  // It may have broken off before anybody came to read it.
  if (!response.closed) await new Promise<void>((resolve) => response.once('close', resolve))
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    bytes: Buffer.concat(chunks),
    isWhole: response.complete,
  }
}

/** Waits until a condition holds; throws after the time, which is for failures only. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 20_000) {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
