import { connect, type Socket } from 'node:net'
import { type ReadAnswers, readAnswers } from './read-answers.ts'
import type { Finding } from './types.ts'

/** Requests that stop somewhere for good, and hold a connection until the service ends it. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'in the request line': 'POST /comp',
  'in the fields': 'POST /compact HTTP/1.1\r\nHost: a\r\nContent-Type: applic',
  'before the body':
    'POST /compact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n',
  'in the body':
    'POST /v1/compress HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"messages":[',
  'in a chunk':
    'POST /check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{"mess',
}

/** The service looks for late requests every five seconds; the rest is for a machine that has other work. */
const MARGIN_MS = 35_000

export interface StalledConnections {
  /** Whether each was ended by the service, waited for if need be; undefined if it need not have been yet. */
  readonly end: () => Promise<Finding[] | undefined>
}

/**
 * Opens one connection for each beginning, for as long as a run takes.
 *
 * @param requestMs time that the service gives a request to arrive
 */
export function openStalledConnections(url: string, requestMs: number): StalledConnections {
  const { port, hostname } = new URL(url)
  const openedAt = performance.now()
  const stalled = Object.entries(BEGINNINGS).map(([where, text]) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.write(text)
    return { where, socket, chunks }
  })
  return {
    end: async () => {
      const dueMs = requestMs + MARGIN_MS - (performance.now() - openedAt)
      // A run that is shorter than that says nothing of it.
      const findings =
        dueMs > 0
          ? undefined
          : stalled.flatMap(({ where, socket, chunks }) =>
              findingsOf(where, socket, readAnswers(Buffer.concat(chunks))),
            )
      for (const { socket } of stalled) socket.destroy()
      return findings
    },
  }
}

function findingsOf(
  where: string,
  { closed, readableEnded }: Socket,
  read: ReadAnswers,
): Finding[] {
  if (!closed && !readableEnded) {
    return [{ check: 'stalled connection', detail: `still open, stopped ${where}` }]
  }
  return read.answers
    .filter(({ status }) => status !== 408 && status !== 503)
    .map(({ status }) => ({ check: 'stalled connection', detail: `${status}, stopped ${where}` }))
}
