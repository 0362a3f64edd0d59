import { skipString } from '../../json-text/skip-string.ts'
import {
  BRACKET_BIT,
  CLOSING_BRACE,
  OPENING_BRACE,
  QUOTE,
} from '../../json-text/structural-bytes.ts'

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
