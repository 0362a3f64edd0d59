import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface RawUpstreamRequest {
  readonly method: string
  readonly url: string
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  /** When the connection of this request closed; pending while it is open. */
  readonly socketClosed: Promise<void>
  /** Resolves when the answer is over; true if it was sent whole. */
  readonly answered: Promise<boolean>
  readonly socket: Socket
}

export type RawHandler = (request: RawUpstreamRequest, response: ServerResponse) => void

export interface RawUpstream {
  readonly origin: string
  readonly requests: readonly RawUpstreamRequest[]
  readonly setHandler: (handler: RawHandler) => void
  readonly openSockets: () => number
  /** Connections that were ever opened. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** A server that does to its sockets what a test says, and keeps what it was sent, byte by byte. */
export async function startRawUpstream(
  handler: RawHandler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  },
): Promise<RawUpstream> {
  let handle = handler
  let connections = 0
  const sockets = new Map<Socket, Promise<void>>()
  const requests: RawUpstreamRequest[] = []
  const server = createServer({ maxHeaderSize: 256 * 1024 }, async (incoming, response) => {
    const { socket } = incoming
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const request: RawUpstreamRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      rawHeaders: incoming.rawHeaders,
      headers: incoming.headers,
      bytes: Buffer.concat(chunks),
      socketClosed: sockets.get(socket) ?? Promise.resolve(),
      answered: new Promise((resolve) => {
        response.once('close', () => resolve(response.writableFinished))
      }),
      socket,
    }
    requests.push(request)
    handle(request, response)
  })
  // What it tells its callers, who close idle connections a little before.
  server.keepAliveTimeout = 5_000
  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    sockets.set(socket, closed)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setHandler: (next) => {
      handle = next
    },
    openSockets: () => sockets.size,
    connections: () => connections,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.keys()) socket.destroy()
      await closed
    },
  }
}
