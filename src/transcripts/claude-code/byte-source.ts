import { type FileHandle, open } from 'node:fs/promises'

/** Bytes that can be read from the beginning, more than once, and again in places. */
export interface ByteSource {
  readonly chunks: () => AsyncIterable<Buffer>
  readonly range: (offset: number, length: number) => Promise<Buffer>
  readonly close: () => Promise<void>
}

const CHUNK_BYTES = 256 * 1024

/** A regular file, of which no more than a chunk and the ranges that are asked for is in memory. */
export async function createFileSource(path: string): Promise<ByteSource> {
  const file = await open(path, 'r')
  return {
    chunks: () => readChunks(file),
    range: (offset, length) => readRange(file, offset, length),
    close: () => file.close(),
  }
}

/** What came through a pipe cannot be read again, so all of it is held. */
export function createBufferSource(bytes: Buffer): ByteSource {
  return {
    chunks: async function* () {
      yield bytes
    },
    range: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  }
}

async function* readChunks(file: FileHandle): AsyncGenerator<Buffer, void> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
