import { skipString } from '../../json-text/skip-string.ts'
import {
  BRACKET_BIT,
  CLOSING_BRACE,
  COMMA,
  OPENING_BRACE,
  QUOTE,
} from '../../json-text/structural-bytes.ts'

export interface StructureBounds {
  /** Deepest nesting of arrays and objects; `[[1]]` has depth 2. */
  readonly maxDepth: number
  /** Most opening brackets and commas outside strings: one or two for each value that is built. */
  readonly maxValues: number
}

/**
 * What the service takes. Real conversations stay below a depth of a hundred; recursive code,
 * `JSON.stringify` among it, runs out of stack after some thousands. A parser takes some 80 bytes and
 * 0.7 µs for an empty object of three bytes (32 MiB of them: 900 MB and 8 s), where a conversation has
 * a value for every 20 to 100 bytes: the bound on values is what keeps memory in proportion to bytes.
 */
export const BODY_BOUNDS: StructureBounds = { maxDepth: 500, maxValues: 2_000_000 }

export type BrokenBound = 'max-depth' | 'max-values'

/**
 * The first bound that JSON text breaks. One linear pass over the bytes that allocates nothing, so that
 * the answer is there before a parser builds what is asked about. On text that is not JSON the answer
 * means nothing.
 */
export const findBrokenBound = (
  text: Buffer,
  { maxDepth, maxValues }: StructureBounds,
): BrokenBound | undefined => {
  const { length } = text
  let depth = 0
  let values = 0
  let index = 0
  while (index < length) {
    const byte = text[index] as number
    index += 1
    if (byte === QUOTE) {
      index = skipString(text, index)
    } else if (byte === COMMA) {
      values += 1
    } else if ((byte | BRACKET_BIT) === OPENING_BRACE) {
      values += 1
      depth += 1
      if (depth > maxDepth) return 'max-depth'
    } else if ((byte | BRACKET_BIT) === CLOSING_BRACE) {
      depth -= 1
    }
  }
  return values > maxValues ? 'max-values' : undefined
}
