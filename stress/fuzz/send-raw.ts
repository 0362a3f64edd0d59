import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadAnswers, readAnswers } from './read-answers.ts'
import type { RawScript } from './types.ts'

export interface RawOutcome extends ReadAnswers {
  /** How the connection ended; `hang` where it did not in time. */
  readonly end: 'closed' | 'reset' | 'left' | 'hang'
}

const POLL_MS = 5

/** Plays a script on a connection of its own, and gives what came until the connection was closed. */
export async function sendRaw(
  { port, hostname }: URL,
  { steps }: Pick<RawScript, 'steps'>,
  limitMs: number,
): Promise<RawOutcome> {
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.setNoDelay(true)
  const chunks: Buffer[] = []
  let wasReset = false
  socket.on('data', (chunk) => chunks.push(chunk))
  // Half of what is sent here is answered by a reset; what follows is `close`.
  socket.on('error', () => {
    wasReset = true
  })
  socket.on('end', () => socket.end())
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
  for (const step of steps) {
    if ('write' in step) await write(socket, step.write)
    else if ('waitMs' in step) await sleep(step.waitMs)
    else if ('endAfterMs' in step) {
      await waitForBytes(socket, chunks, step.endAfterMs)
      socket.end()
    } else {
      socket.resetAndDestroy()
      await closed
      return { ...readAnswers(Buffer.concat(chunks)), end: 'left' }
    }
  }
  const isClosed = await Promise.race([closed, sleep(limitMs, false, { ref: false })])
  socket.destroy()
  const end = isClosed ? (wasReset ? 'reset' : 'closed') : 'hang'
  return { ...readAnswers(Buffer.concat(chunks)), end }
}

/** Resolves when the bytes are on their way, or nobody is there any more to take them. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || !socket.writable || bytes.length === 0) return Promise.resolve()
  return new Promise((resolve) => {
    socket.once('close', resolve)
    socket.write(bytes, () => {
      socket.off('close', resolve)
      resolve()
    })
  })
}

async function waitForBytes(
  socket: Socket,
  chunks: readonly Buffer[],
  limitMs: number,
): Promise<void> {
  const end = performance.now() + limitMs
  while (chunks.length === 0 && !socket.destroyed && performance.now() < end) await sleep(POLL_MS)
}
