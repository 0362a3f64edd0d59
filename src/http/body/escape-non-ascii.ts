import { BACKSLASH } from '../../json-text/structural-bytes.ts'

const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef')

/** Runs shorter than this are copied byte by byte: a call to copy them costs more than they do. */
const SHORT_RUN_BYTES = 32

/**
 * Rewrites JSON text so that it is pure ASCII, every other character becoming `\uXXXX`, which inside
 * a JSON string means the same and outside is just as wrong.
 *
 * @param source valid UTF-8; a byte order mark is a character like any other
 * @param target takes the result
 * @param maxGrowth how much longer than what has been read the result may get, as `bytes + read / 8`
 * @returns bytes written; -1 when the result would not fit or would grow too much, or when a
 *   character follows an odd number of backslashes: that text is not JSON, and escaping would make
 *   it so
 */
export const escapeNonAscii = (
  source: Uint8Array,
  target: Uint8Array,
  maxGrowth: number,
): number => {
  const words = viewWords(source)
  const { length } = source
  let read = 0
  let written = 0
  while (read < length) {
    const next = findNonAscii(source, words, read)
    if (written + next - read > target.length) return -1
    if (isEscaping(source, read, next)) return -1
    if (next - read < SHORT_RUN_BYTES) {
      while (read < next) target[written++] = source[read++] as number
    } else {
      target.set(source.subarray(read, next), written)
      written += next - read
      read = next
    }
    if (next === length) break
    // Twelve bytes are the longest that one character becomes: a surrogate pair.
    if (written + 12 > target.length || written - read > maxGrowth + (read >> 3)) return -1
    const lead = source[read] as number
    if (lead < 0xe0) {
      written = writeEscape(target, written, ((lead & 0x1f) << 6) | tail(source, read + 1))
      read += 2
    } else if (lead < 0xf0) {
      const middle = tail(source, read + 1) << 6
      const unit = ((lead & 0x0f) << 12) | middle | tail(source, read + 2)
      written = writeEscape(target, written, unit)
      read += 3
    } else {
      const upper = ((lead & 0x07) << 18) | (tail(source, read + 1) << 12)
      const lower = (tail(source, read + 2) << 6) | tail(source, read + 3)
      const offset = (upper | lower) - 0x10000
      written = writeEscape(target, written, 0xd800 | (offset >> 10))
      written = writeEscape(target, written, 0xdc00 | (offset & 0x3ff))
      read += 4
    }
  }
  return written
}

/** Payload of a continuation byte. */
const tail = (source: Uint8Array, index: number): number => (source[index] as number) & 0x3f

const writeEscape = (target: Uint8Array, at: number, unit: number): number => {
  target[at] = BACKSLASH
  target[at + 1] = 0x75
  target[at + 2] = HEX_DIGITS[unit >> 12] as number
  target[at + 3] = HEX_DIGITS[(unit >> 8) & 0xf] as number
  target[at + 4] = HEX_DIGITS[(unit >> 4) & 0xf] as number
  target[at + 5] = HEX_DIGITS[unit & 0xf] as number
  return at + 6
}

/** Whether the ASCII run from `start` to `end` ends in a backslash that is not itself escaped. */
const isEscaping = (source: Uint8Array, start: number, end: number): boolean => {
  let first = end
  while (first > start && source[first - 1] === BACKSLASH) first -= 1
  return ((end - first) & 1) === 1
}

/** The same bytes, four at a time; undefined where they do not begin on a word. */
const viewWords = (source: Uint8Array): Int32Array | undefined =>
  (source.byteOffset & 3) === 0
    ? new Int32Array(source.buffer, source.byteOffset, source.length >> 2)
    : undefined

const findNonAscii = (source: Uint8Array, words: Int32Array | undefined, from: number): number => {
  const { length } = source
  let index = from
  if (words !== undefined) {
    while (index < length && (index & 3) !== 0) {
      if ((source[index] as number) > 0x7f) return index
      index += 1
    }
    if (index === length) return length
    let word = index >> 2
    while (word < words.length && ((words[word] as number) & 0x80808080) === 0) word += 1
    index = word << 2
  }
  while (index < length && (source[index] as number) < 0x80) index += 1
  return index
}
