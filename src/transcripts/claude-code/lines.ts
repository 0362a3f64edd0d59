import type { ByteSource } from './byte-source.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  /** In bytes, in the whole source. */
  readonly offset: number
  /** Without the line feed. */
  readonly bytes: Buffer
  /** Only the last line may lack its line feed. */
  readonly isEnded: boolean
}

const LINE_FEED = 0x0a

/** The lines of a source that are not empty. Linear, whatever the length of a line. */
export async function* readLines(source: Pick<ByteSource, 'chunks'>): AsyncGenerator<Line, void> {
  let number = 1
  let offset = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  for await (const chunk of source.chunks()) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from)
      if (end === -1) break
      const tail = chunk.subarray(from, end)
      const bytes = pending.length === 0 ? tail : Buffer.concat([...pending, tail])
      if (!isBlank(bytes)) yield { number, offset, bytes, isEnded: true }
      offset += pendingBytes + tail.length + 1
      number += 1
      pending = []
      pendingBytes = 0
      from = end + 1
    }
    if (from < chunk.length) {
      pending.push(chunk.subarray(from))
      pendingBytes += chunk.length - from
    }
  }
  const rest = Buffer.concat(pending)
  if (!isBlank(rest)) yield { number, offset, bytes: rest, isEnded: false }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false
  return true
}
