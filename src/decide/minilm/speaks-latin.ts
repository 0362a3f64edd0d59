import { classOf, DIGIT, SEPARATOR, UNSPACED } from '../embedded/characters.ts'

/** First unit past the Latin alphabets. */
const LATIN_END = 0x250
/** Code points that are looked at. */
const READ_LENGTH = 4_096

/**
 * Whether at least half of the letters of a text are Latin. The encoder has read English: of other scripts
 * it knows single letters, and what it says of their likeness is noise.
 */
export function speaksLatin(text: string): boolean {
  let latin = 0
  let other = 0
  for (const character of text.slice(0, READ_LENGTH)) {
    const codePoint = character.codePointAt(0) ?? 0
    if (!isLetter(classOf(codePoint))) continue
    if (codePoint < LATIN_END) latin += 1
    else other += 1
  }
  return latin >= other
}

function isLetter(kind: number): boolean {
  return kind !== SEPARATOR && kind !== DIGIT && kind <= UNSPACED
}
