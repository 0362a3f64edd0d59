import {
  CASELESS,
  type CharacterClasses,
  CLASS_BITS,
  CLASS_MASK,
  characterAt,
  END,
  LOWER,
  MARK,
  multibyteCharacterAt,
  NEWLINE,
  NUMBER,
  SPACE,
  UPPER,
} from './character-classes.ts'
import { contractionEnd, numberEnd, symbolsEnd, whitespaceEnd } from './pre-tokenise-shared.ts'

/**
 * A match of o200k_base's pattern without a regular expression:
 *
 *     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     \p{N}{1,3}
 *      ?[^\s\p{L}\p{N}]+[\r\n/]*
 *     \s*[\r\n]+
 *     \s+(?!\S)
 *     \s+
 *
 * A mark may serve the optional first class and the letters after it; taking it as a letter gives the
 * same end in every case, since whatever follows it decides.
 */
export function pieceEndO200k(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  const character = characterAt(bytes, start, classes)
  const kind = character & CLASS_MASK
  if (kind >= MARK) return wordEnd(bytes, start, classes)
  if (kind === NUMBER) return numberEnd(bytes, start, classes)
  if (kind === NEWLINE) return whitespaceEnd(bytes, start, classes)

  const second = start + (character >> CLASS_BITS)
  const secondKind = characterAt(bytes, second, classes) & CLASS_MASK
  if (secondKind >= MARK && secondKind < END) return wordEnd(bytes, second, classes)
  if (kind !== SPACE) return lineBreaksAndSlashesEnd(bytes, symbolsEnd(bytes, second, classes))
  if (bytes[start] === 0x20) {
    const end = symbolsEnd(bytes, second, classes)
    if (end > second) return lineBreaksAndSlashesEnd(bytes, end)
  }
  return whitespaceEnd(bytes, start, classes)
}

/** The two word rules after their optional first character; `start` stands on a letter or a mark. */
function wordEnd(bytes: Uint8Array, start: number, classes: CharacterClasses): number {
  let position = start
  // End of the last character that both letter classes hold: where the first rule can still match when
  // no lower-case letter comes after the run of the upper class.
  let sharedEnd = start
  let kind: number
  for (;;) {
    const lead = bytes[position] as number
    if (lead < 0x80) {
      kind = classes[lead] as number
      if (kind !== UPPER) break
      position++
    } else {
      const character = multibyteCharacterAt(bytes, position, classes)
      kind = character & CLASS_MASK
      if (kind === CASELESS || kind === MARK) {
        position += character >> CLASS_BITS
        sharedEnd = position
      } else if (kind === UPPER) {
        position += character >> CLASS_BITS
      } else break
    }
  }
  if (kind === LOWER) {
    for (;;) {
      const lead = bytes[position] as number
      if (lead < 0x80) {
        if (classes[lead] !== LOWER) break
        position++
      } else {
        const character = multibyteCharacterAt(bytes, position, classes)
        kind = character & CLASS_MASK
        if (kind !== LOWER && kind !== CASELESS && kind !== MARK) break
        position += character >> CLASS_BITS
      }
    }
  } else if (sharedEnd > start) position = sharedEnd
  return contractionEnd(bytes, position)
}

function lineBreaksAndSlashesEnd(bytes: Uint8Array, start: number): number {
  let position = start
  for (;;) {
    const byte = bytes[position]
    if (byte !== 0x0a && byte !== 0x0d && byte !== 0x2f) return position
    position++
  }
}
