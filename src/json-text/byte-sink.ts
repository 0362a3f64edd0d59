/** Largest scratch that is kept between calls; a larger one lives as long as its call. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024

const MIN_SCRATCH_BYTES = 64 * 1024

/** Up to this length three bytes a character are set aside instead of counting them. */
const MAX_UNCOUNTED_LENGTH = 8 * 1024

/** Bytes in the making: a buffer that grows, and how much of it is written. */
export interface ByteSink {
  buffer: Buffer
  length: number
}

let kept: Buffer | undefined

/**
 * The bytes that `write` puts into the sink. They are collected in a buffer that the next call uses
 * again, which spares the string of the whole; what is returned is a copy that no later call changes.
 * Calls may be nested. What `write` throws is passed on.
 */
export const collectBytes = (write: (sink: ByteSink) => void): Buffer => {
  const sink: ByteSink = { buffer: kept ?? Buffer.allocUnsafeSlow(MIN_SCRATCH_BYTES), length: 0 }
  // A toJSON method that encodes something itself must not find this buffer.
  kept = undefined
  try {
    write(sink)
    return Buffer.from(sink.buffer.subarray(0, sink.length))
  } finally {
    if (sink.buffer.length <= MAX_KEPT_BYTES) kept = sink.buffer
  }
}

export const writeByte = (sink: ByteSink, byte: number): void => {
  reserve(sink, 1)
  sink.buffer[sink.length] = byte
  sink.length += 1
}

/** As UTF-8; half a surrogate pair becomes U+FFFD, so it has to come escaped. */
export const writeText = (sink: ByteSink, text: string): void => {
  const bytes = text.length <= MAX_UNCOUNTED_LENGTH ? text.length * 3 : Buffer.byteLength(text)
  reserve(sink, bytes)
  sink.length += sink.buffer.write(text, sink.length, 'utf8')
}

/** The bytes of `source` from `start` up to `end`. */
export const writeBytes = (sink: ByteSink, source: Buffer, start: number, end: number): void => {
  reserve(sink, end - start)
  sink.length += source.copy(sink.buffer, sink.length, start, end)
}

const reserve = (sink: ByteSink, bytes: number): void => {
  const needed = sink.length + bytes
  if (needed <= sink.buffer.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, sink.buffer.length * 2))
  sink.buffer.copy(larger, 0, 0, sink.length)
  sink.buffer = larger
}
