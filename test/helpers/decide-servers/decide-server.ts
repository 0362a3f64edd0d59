import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Fault } from './fault.ts'
import { misbehave, sendJson } from './misbehave.ts'
import type { DecideProtocol, RecordedRequest } from './protocol.ts'

export interface DecideServer {
  readonly origin: string
  /** Full URL that answers questions. */
  readonly url: string
  /** In order of arrival, those that were answered with a fault included. */
  readonly requests: readonly RecordedRequest[]
  readonly openSockets: () => number
  /** Sockets that were ever opened. */
  readonly connections: () => number
  /** Sockets that have been closed, by either side. */
  readonly closedSockets: () => number
  /** From now on; undefined answers well again. */
  readonly setFault: (fault: Fault | undefined) => void
  /** For the next requests, one fault each, before the standing one. */
  readonly faultNext: (...faults: readonly (Fault | undefined)[]) => void
  readonly close: () => Promise<void>
}

export async function startDecideServer(protocol: DecideProtocol): Promise<DecideServer> {
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  const next: (Fault | undefined)[] = []
  let standing: Fault | undefined
  let connections = 0
  let closedSockets = 0

  const server = createServer(async (incoming, response) => {
    const text = await readAll(incoming)
    const request = record(incoming, text)
    requests.push(request)
    const fault = next.length > 0 ? next.shift() : standing
    if (fault === undefined) sendJson(response, protocol.reply(request))
    else misbehave(fault, request, response, protocol)
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => {
      closedSockets += 1
      sockets.delete(socket)
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    url: `${origin}${protocol.path}`,
    requests,
    openSockets: () => sockets.size,
    connections: () => connections,
    closedSockets: () => closedSockets,
    setFault: (fault) => {
      standing = fault
    },
    faultNext: (...faults) => {
      next.push(...faults)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    // The client went away; what came is recorded.
  }
  return Buffer.concat(chunks).toString('utf8')
}

function record(incoming: IncomingMessage, text: string): RecordedRequest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    text,
    json,
  }
}
