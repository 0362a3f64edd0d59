/** What a code point means to the tokeniser. */
export const SEPARATOR = 0
/** Lower case or caseless letter, or a mark that belongs to one. */
export const LETTER = 1
export const CAPITAL = 2
export const DIGIT = 3
/** Letter of a script that puts no spaces between words. */
export const UNSPACED = 4
/** Punctuation that holds identifiers together: `snake_case`, `a/path.ts`, `12:30`. */
export const JOINER = 5
export const APOSTROPHE = 6

const JOINERS = '_-./\\:@#'
const APOSTROPHES = "'\u2019"

/** First and last code point of the scripts that are cut into pairs. */
const UNSPACED_RANGES: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff], // Thai, Lao
  [0x1000, 0x109f], // Myanmar
  [0x1100, 0x11ff], // Hangul letters
  [0x1780, 0x17ff], // Khmer
  [0x3005, 0x3007], // ideographic iteration and zero
  [0x3040, 0x312f], // Hiragana, Katakana, Bopomofo
  [0x31a0, 0x31ff], // their extensions
  [0x3400, 0x4dbf], // Han
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff],
  [0xff66, 0xff9d], // half-width Katakana
  [0x20000, 0x323af],
]

const UNKNOWN = 255
/** Classes of the basic plane, each worked out when it is first met. */
const known = new Uint8Array(0x10000).fill(UNKNOWN)

/** Class of a code point. Lone surrogates are separators. */
export function classOf(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint)
  const seen = known[codePoint]
  if (seen !== undefined && seen !== UNKNOWN) return seen
  const found = classify(codePoint)
  known[codePoint] = found
  return found
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (JOINERS.includes(character)) return JOINER
  if (APOSTROPHES.includes(character)) return APOSTROPHE
  if (/\p{N}/u.test(character) && codePoint !== 0x3007) return DIGIT
  for (const [first, last] of UNSPACED_RANGES) {
    if (codePoint < first) break
    if (codePoint <= last && /[\p{L}\p{M}\p{N}]/u.test(character)) return UNSPACED
  }
  if (/\p{Lu}/u.test(character)) return CAPITAL
  return /[\p{L}\p{M}]/u.test(character) ? LETTER : SEPARATOR
}
