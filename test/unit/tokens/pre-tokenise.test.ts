import { describe, expect, it } from 'vitest'
import { END_BYTE, loadCharacterClasses } from '../../../src/tokens/character-classes.ts'
import { pieceEndCl100k } from '../../../src/tokens/pre-tokenise-cl100k.ts'
import { pieceEndO200k } from '../../../src/tokens/pre-tokenise-o200k.ts'
import type { PieceEnd } from '../../../src/tokens/pre-tokenise-shared.ts'
import { createRandom } from './random.ts'

// The published patterns for JavaScript's engine: Rust's \s is spelt out, and so are the foldings of the
// case-insensitive group, which Node 20 has no syntax for.
const SPACE =
  '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const CONTRACTION = "'(?:[sSſ]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])"
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]'
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]'
const WHITESPACE = `[${SPACE}]*[\\r\\n]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`

const ENCODINGS: readonly (readonly [string, PieceEnd, RegExp])[] = [
  [
    'o200k_base',
    pieceEndO200k,
    new RegExp(
      `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+(?:${CONTRACTION})?` +
        `|[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*(?:${CONTRACTION})?` +
        `|\\p{N}{1,3}| ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n/]*|${WHITESPACE}`,
      'gu',
    ),
  ],
  [
    'cl100k_base',
    pieceEndCl100k,
    new RegExp(
      `${CONTRACTION}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+` +
        `|\\p{N}{1,3}| ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n]*|${WHITESPACE}`,
      'gu',
    ),
  ],
]

const CHARACTERS = [
  ...["'", "'", 's', 'S', 'ſ', 't', 'LL', 'l', 're', 'K', '\u212a', 'a', 'b', 'X', 'Y', 'é', 'É'],
  ...['ǅ', 'ʰ', 'ª', '日', '本', 'ก', '\u0301', '\u20dd', '𐐀', '𐐨', '1', '23', '½', '𝟘'],
  ...[' ', ' ', '\n', '\r', '\t', '\u0085', '\u00a0', '\u2028', '\u3000', '\ufeff', '\u200b'],
  ...['/', '!', '-', '…', '😀', '\u200d', '\0', '<|'],
]

describe.each(ENCODINGS)('the pieces of %s', (_, pieceEnd, pattern) => {
  const classes = loadCharacterClasses()

  function piecesOf(text: string): string[] {
    const encoded = Buffer.from(text)
    const bytes = new Uint8Array(encoded.length + 8)
    bytes.set(encoded)
    bytes[encoded.length] = END_BYTE
    const pieces: string[] = []
    for (let start = 0; start < encoded.length; ) {
      const end = pieceEnd(bytes, start, classes)
      pieces.push(encoded.toString('utf8', start, end))
      start = end
    }
    return pieces
  }

  it('are what the pattern matches', () => {
    const random = createRandom(8)
    for (let round = 0; round < 60_000; round++) {
      const length = 1 + random.below(9)
      const text = Array.from({ length }, () => random.pick(CHARACTERS)).join('')
      const pieces = piecesOf(text)
      const matches = text.match(pattern) ?? []
      if (pieces.join('\n\n') !== matches.join('\n\n')) expect(pieces).toEqual(matches)
    }
    expect(piecesOf("I'ſ ok")).toContain(pattern.source.startsWith("'") ? "'ſ" : "I'ſ")
  })
})
