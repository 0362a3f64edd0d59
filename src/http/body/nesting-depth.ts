import { skipString } from '../../json-text/skip-string.ts'

const QUOTE = 0x22
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** `[` and `{`, and `]` and `}`, differ in this bit alone, and no other ASCII pair ends up there. */
const BRACKET_BIT = 0x20

/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`; `[[1]]` has depth 2. One linear
 * pass over the bytes that allocates nothing, so that the answer is there before a parser builds what
 * is asked about. On text that is not JSON the answer means nothing.
 */
export const isNestedDeeperThan = (text: Buffer, maxDepth: number): boolean => {
  const { length } = text
  let depth = 0
  let index = 0
  while (index < length) {
    const byte = text[index] as number
    index += 1
    if (byte === QUOTE) {
      index = skipString(text, index)
    } else if ((byte | BRACKET_BIT) === OPENING_BRACE) {
      depth += 1
      if (depth > maxDepth) return true
    } else if ((byte | BRACKET_BIT) === CLOSING_BRACE) {
      depth -= 1
    }
  }
  return false
}
