import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { freePort } from '../../test/helpers/free-port.ts'
import type { Certificate, Certificates } from './certificates.ts'

/** What happens on the way to a server, whatever the server would say. */
export type LinkFault =
  /** Nobody listens: connections are refused. */
  | 'down'
  /** Takes the connection and what is sent, and says nothing. */
  | 'hang'
  /** Gives the server's answer at one byte a second, its head too. */
  | 'drip'
  /** RST as soon as something is asked. */
  | 'reset'
  /** Answers in the words of another protocol. */
  | 'not-http'
  /** TLS with a certificate whose time is over. */
  | 'expired'
  /** TLS with a certificate that nobody vouches for. */
  | 'self-signed'
  /** No TLS where it is expected. */
  | 'plaintext'

export interface FaultProxy {
  /** `http`, or `https` where it was given certificates. */
  readonly origin: string
  readonly port: number
  /** From now on, and for connections that are open; undefined passes everything on. */
  readonly setFault: (fault: LinkFault | undefined) => Promise<void>
  /** Connections that were ever opened. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export interface FaultProxyOptions {
  /** Origin of a server that speaks plain HTTP. */
  readonly target: string
  /** With them, clients speak TLS with the proxy. */
  readonly certificates?: Certificates
}

const DRIP_EVERY_MS = 1_000
const BANNER = '220 mail.example ESMTP ready\r\n'

/** A relay of TCP in front of a real server, whose way to it can be made to fail. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, certificates } = options
  const { hostname, port: targetPort } = new URL(target)
  const sockets = new Set<Socket>()
  let fault: LinkFault | undefined
  let connections = 0

  const pass = (client: Duplex): void => {
    const server = connect(Number(targetPort), hostname)
    track(server)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.once('close', () => other.destroy())
    }
    client.pipe(server)
    if (fault === 'drip') drip(server, client)
    else server.pipe(client)
  }
  const tls = createTlsServer({ ...certificates?.good }, pass)
  tls.on('tlsClientError', () => {})

  const listener = createServer((socket) => {
    connections += 1
    track(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  // One that nobody is given while it is down.
  const port = await freePort()
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  function answer(socket: Socket): void {
    switch (fault) {
      case 'hang':
        socket.resume()
        return
      case 'reset':
        socket.once('data', () => socket.resetAndDestroy())
        return
      case 'not-http':
        socket.once('data', () => socket.end(BANNER))
        return
      case 'plaintext':
        pass(socket)
        return
      default:
        if (certificates === undefined) pass(socket)
        else tls.emit('connection', socket)
    }
  }

  async function setFault(next: LinkFault | undefined): Promise<void> {
    fault = next
    const certificate = certificates && certificateOf(next, certificates)
    if (certificate !== undefined) {
      tls.setSecureContext({ ...certificate })
      // A client that resumes its session does not look at the certificate again.
      tls.setTicketKeys(randomBytes(48))
    }
    if (next === 'down' && listener.listening) listener.close()
    for (const socket of sockets) socket.destroy()
    if (next !== 'down' && !listener.listening) {
      listener.listen(port, '127.0.0.1')
      await once(listener, 'listening')
    }
  }

  return {
    origin: `${certificates === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    setFault,
    connections: () => connections,
    close: async () => {
      const closed = listener.listening ? once(listener, 'close') : undefined
      listener.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function certificateOf(fault: LinkFault | undefined, all: Certificates): Certificate {
  if (fault === 'expired') return all.expired
  return fault === 'self-signed' ? all.stranger : all.good
}

/** At the end of what there was, the connection ends as well. */
function drip(source: Socket, sink: Duplex): void {
  let waiting = Buffer.alloc(0)
  let isOver = false
  source.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
  })
  source.once('end', () => {
    isOver = true
  })
  const timer = setInterval(() => {
    if (waiting.length > 0) sink.write(waiting.subarray(0, 1))
    else if (isOver) sink.end()
    waiting = waiting.subarray(1)
  }, DRIP_EVERY_MS)
  sink.once('close', () => clearInterval(timer))
}
