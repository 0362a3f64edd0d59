import {
  type CharacterClasses,
  CLASS_BITS,
  CLASS_MASK,
  characterAt,
  END,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  SPACE,
} from './character-classes.ts'

/**
 * Where the piece that starts at `start` ends. A piece is what the encoding's pattern matches there; the
 * pieces of a text are merged apart from each other. `bytes` is UTF-8, closed by END_BYTE, and `start`
 * stands on a character.
 */
export type PieceEnd = (bytes: Uint8Array, start: number, classes: CharacterClasses) => number

const APOSTROPHE = 0x27
const LOWER_CASE_BIT = 0x20

/**
 * End of `(?i:'s|'t|'re|'ve|'m|'ll|'d)` at `position`, or `position` itself where there is none. Unicode
 * case folding adds one spelling to ASCII's: the long s (U+017F) folds to s.
 */
export function contractionEnd(bytes: Uint8Array, position: number): number {
  if (bytes[position] !== APOSTROPHE) return position
  const first = bytes[position + 1] as number
  const second = bytes[position + 2] as number
  switch (first | LOWER_CASE_BIT) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return position + 2
    case 0x6c: // l
      return (second | LOWER_CASE_BIT) === 0x6c ? position + 3 : position
    case 0x72: // r
    case 0x76: // v
      return (second | LOWER_CASE_BIT) === 0x65 ? position + 3 : position
    default:
      return first === 0xc5 && second === 0xbf ? position + 3 : position
  }
}

/** End of `\p{N}{1,3}` at `start`. */
export function numberEnd(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  let position = start
  for (let digits = 0; digits < 3; digits++) {
    const character = characterAt(bytes, position, classes)
    if ((character & CLASS_MASK) !== NUMBER) break
    position += character >> CLASS_BITS
  }
  return position
}

/** End of `[^\s\p{L}\p{N}]*` at `start`. */
export function symbolsEnd(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  let position = start
  for (;;) {
    const character = characterAt(bytes, position, classes)
    const kind = character & CLASS_MASK
    if (kind !== OTHER && kind !== MARK) return position
    position += character >> CLASS_BITS
  }
}

/**
 * End of `\s*[\r\n]+|\s+(?!\S)|\s+` at `start`, which stands on whitespace: up to the last line break of
 * the run; without one, all of it at the end of the text, and else all but its last character, which is
 * left to the piece that follows.
 */
export function whitespaceEnd(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  let position = start
  let lineBreakEnd = start
  let last = start
  for (;;) {
    const character = characterAt(bytes, position, classes)
    const kind = character & CLASS_MASK
    if (kind !== SPACE && kind !== NEWLINE) {
      if (lineBreakEnd > start) return lineBreakEnd
      return kind === END || last === start ? position : last
    }
    last = position
    position += character >> CLASS_BITS
    if (kind === NEWLINE) lineBreakEnd = position
  }
}
