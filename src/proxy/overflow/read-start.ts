import type { Readable } from 'node:stream'

export interface BodyStart {
  readonly bytes: Buffer
  /** Whether that was all. If not, the stream waits where it is. */
  readonly isWhole: boolean
}

export interface ReadStartOptions {
  readonly maxBytes: number
  readonly maxMs: number
  /** Shown each piece; true ends the reading. */
  readonly isEnough?: (piece: Buffer) => boolean
}

/** Reads a body up to a bound of bytes and time, and leaves what is behind it in the stream. */
export function readStart(body: Readable, options: ReadStartOptions): Promise<BodyStart> {
  const { maxBytes, maxMs, isEnough } = options
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    const settle = (isWhole: boolean) => {
      clearTimeout(timer)
      body.off('data', onData).off('end', onEnd).off('close', onBroken)
      if (!isWhole) body.pause()
      resolve({ bytes: Buffer.concat(pieces, size), isWhole })
    }
    const onData = (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > maxBytes || isEnough?.(piece) === true) settle(false)
    }
    const onEnd = () => settle(true)
    // Who passes the rest on will find the stream broken.
    const onBroken = () => settle(false)
    const timer = setTimeout(() => settle(false), maxMs)
    // An error must not be without a listener between this one and the next.
    body.on('error', () => {})
    body.on('data', onData).once('end', onEnd).once('close', onBroken)
  })
}
