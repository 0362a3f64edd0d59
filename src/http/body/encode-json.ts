/** Largest scratch that is kept between calls; a larger one lives as long as its call. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024

const MIN_SCRATCH_BYTES = 64 * 1024

/**
 * Elements of an array that become one string: few, so that strings of usual messages stay below the
 * size (128 KiB) from which V8 allocates each by itself; more than one, because every call costs.
 */
const ELEMENTS_PER_STRING = 16

/** Up to this length three bytes a character are set aside instead of counting them. */
const MAX_UNCOUNTED_LENGTH = 8 * 1024

const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Bytes in the making: a buffer that grows, and how much of it is written. */
interface Sink {
  buffer: Buffer
  length: number
}

let kept: Buffer | undefined

/**
 * The bytes of `JSON.stringify(value)`, for a value whose bulk is in arrays that are members of it,
 * such as a conversation under `messages`. Those are written a few elements at a time into a buffer
 * that is used again, which spares the string of the whole and a second pass over it; any other value
 * takes the plain way.
 *
 * Equal byte for byte for plain data. Only the argument of a `toJSON` method is not: members and
 * elements do not learn their key.
 *
 * @throws TypeError where JSON.stringify does (cycles, BigInt), and for a value that has no JSON
 */
export const encodeJson = (value: unknown): Buffer => {
  if (!isPlainObject(value)) return Buffer.from(JSON.stringify(value))
  const sink: Sink = { buffer: kept ?? Buffer.allocUnsafeSlow(MIN_SCRATCH_BYTES), length: 0 }
  // A toJSON method that encodes something itself must not find this buffer.
  kept = undefined
  try {
    writeObject(sink, value)
    return Buffer.from(sink.buffer.subarray(0, sink.length))
  } finally {
    if (sink.buffer.length <= MAX_KEPT_BYTES) kept = sink.buffer
  }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !hasToJson(value)

const hasToJson = (value: object): boolean =>
  typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'

const writeObject = (sink: Sink, value: Record<string, unknown>): void => {
  writeByte(sink, OPENING_BRACE)
  let first = true
  for (const key of Object.keys(value)) {
    const member = value[key]
    const elements = Array.isArray(member) && member.length > 0 && !hasToJson(member)
    const text = elements ? '' : JSON.stringify(member)
    // undefined, functions and symbols have no JSON, and their members are left out.
    if (text === undefined) continue
    if (!first) writeByte(sink, COMMA)
    first = false
    writeText(sink, JSON.stringify(key))
    writeByte(sink, COLON)
    if (elements) writeArray(sink, member)
    else writeText(sink, text)
  }
  writeByte(sink, CLOSING_BRACE)
}

/** Each string comes in brackets of its own: the first turns into a comma, the last is overwritten. */
const writeArray = (sink: Sink, elements: readonly unknown[]): void => {
  for (let start = 0; start < elements.length; start += ELEMENTS_PER_STRING) {
    const at = sink.length
    writeText(sink, JSON.stringify(elements.slice(start, start + ELEMENTS_PER_STRING)))
    sink.buffer[at] = start === 0 ? OPENING_BRACKET : COMMA
    sink.length -= 1
  }
  writeByte(sink, CLOSING_BRACKET)
}

const writeByte = (sink: Sink, byte: number): void => {
  reserve(sink, 1)
  sink.buffer[sink.length] = byte
  sink.length += 1
}

const writeText = (sink: Sink, text: string): void => {
  const bytes = text.length <= MAX_UNCOUNTED_LENGTH ? text.length * 3 : Buffer.byteLength(text)
  reserve(sink, bytes)
  sink.length += sink.buffer.write(text, sink.length, 'utf8')
}

const reserve = (sink: Sink, bytes: number): void => {
  const needed = sink.length + bytes
  if (needed <= sink.buffer.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, sink.buffer.length * 2))
  sink.buffer.copy(larger, 0, 0, sink.length)
  sink.buffer = larger
}
