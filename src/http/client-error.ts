import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEM_MEDIA_TYPE } from './problem.ts'

interface ConnectionError extends Error {
  readonly code?: string
}

/** Faults of HTTP itself, below any route: their status says all, as in RFC 9457 section 4.2.1. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/**
 * Answers bytes that are no HTTP request. Fastify's own handler logs the error, whose `rawPacket` is
 * what the caller sent (P12), and answers in another shape.
 */
export function handleClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const status = STATUSES[error.code ?? ''] ?? 400
    const title = STATUS_CODES[status] ?? ''
    const body = JSON.stringify({ type: 'about:blank', title, status })
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}
