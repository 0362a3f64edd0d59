import {
  CASELESS,
  type CharacterClasses,
  CLASS_BITS,
  CLASS_MASK,
  characterAt,
  END,
  multibyteCharacterAt,
  NEWLINE,
  NUMBER,
  SPACE,
} from './character-classes.ts'
import { contractionEnd, numberEnd, symbolsEnd, whitespaceEnd } from './pre-tokenise-shared.ts'

/**
 * A match of cl100k_base's pattern without a regular expression:
 *
 *     (?i:'s|'t|'re|'ve|'m|'ll|'d)
 *     [^\r\n\p{L}\p{N}]?\p{L}+
 *     \p{N}{1,3}
 *      ?[^\s\p{L}\p{N}]+[\r\n]*
 *     \s*[\r\n]+
 *     \s+(?!\S)
 *     \s+
 */
export function pieceEndCl100k(
  bytes: Uint8Array,
  start: number,
  classes: CharacterClasses,
): number {
  const character = characterAt(bytes, start, classes)
  const kind = character & CLASS_MASK
  if (kind >= CASELESS) return lettersEnd(bytes, start, classes)
  if (kind === NUMBER) return numberEnd(bytes, start, classes)
  if (kind === NEWLINE) return whitespaceEnd(bytes, start, classes)
  const contraction = contractionEnd(bytes, start)
  if (contraction > start) return contraction

  const second = start + (character >> CLASS_BITS)
  const secondKind = characterAt(bytes, second, classes) & CLASS_MASK
  if (secondKind >= CASELESS && secondKind < END) return lettersEnd(bytes, second, classes)
  if (kind !== SPACE) return lineBreaksEnd(bytes, symbolsEnd(bytes, second, classes))
  if (bytes[start] === 0x20) {
    const end = symbolsEnd(bytes, second, classes)
    if (end > second) return lineBreaksEnd(bytes, end)
  }
  return whitespaceEnd(bytes, start, classes)
}

function lettersEnd(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  let position = start
  for (;;) {
    const lead = bytes[position] as number
    if (lead < 0x80) {
      if ((classes[lead] as number) < CASELESS) return position
      position++
    } else {
      const character = multibyteCharacterAt(bytes, position, classes)
      const kind = character & CLASS_MASK
      if (kind < CASELESS || kind === END) return position
      position += character >> CLASS_BITS
    }
  }
}

function lineBreaksEnd(bytes: Uint8Array, start: number): number {
  let position = start
  for (;;) {
    const byte = bytes[position]
    if (byte !== 0x0a && byte !== 0x0d) return position
    position++
  }
}
