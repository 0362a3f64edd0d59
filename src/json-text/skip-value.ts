import { skipString } from './skip-string.ts'
import { BRACKET_BIT, CLOSING_BRACE, COMMA, OPENING_BRACE, QUOTE } from './structural-bytes.ts'

const SPACE = 0x20

/** Outside strings JSON has no other bytes up to the space than its white space. */
export const isWhiteSpace = (byte: number | undefined): boolean =>
  byte !== undefined && byte <= SPACE

/** Index of the first byte from `start` on that is no white space. */
export const skipWhiteSpace = (text: Buffer, start: number): number => {
  let index = start
  while (isWhiteSpace(text[index])) index += 1
  return index
}

/**
 * Index after the value whose first byte is at `start`, whatever it holds: one pass over its bytes
 * that allocates nothing and does not recurse. On text that is not JSON the answer means nothing.
 */
export const skipValue = (text: Buffer, start: number): number => {
  const first = text[start] as number
  if (first === QUOTE) return skipString(text, start + 1)
  return (first | BRACKET_BIT) === OPENING_BRACE
    ? skipContainer(text, start)
    : skipScalar(text, start)
}

const skipContainer = (text: Buffer, start: number): number => {
  const { length } = text
  let depth = 0
  let index = start
  while (index < length) {
    const byte = text[index] as number
    index += 1
    if (byte === QUOTE) {
      index = skipString(text, index)
    } else if ((byte | BRACKET_BIT) === OPENING_BRACE) {
      depth += 1
    } else if ((byte | BRACKET_BIT) === CLOSING_BRACE) {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return length
}

/** A number, `true`, `false` or `null` ends where something that belongs to none of them stands. */
const skipScalar = (text: Buffer, start: number): number => {
  let index = start
  while (index < text.length) {
    const byte = text[index] as number
    if (byte <= SPACE || byte === COMMA || (byte | BRACKET_BIT) === CLOSING_BRACE) break
    index += 1
  }
  return index
}
