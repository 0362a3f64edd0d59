import { CAPITAL, classOf, DIGIT, LETTER, UNSPACED } from './characters.ts'
import type { PieceIndex } from './piece-index.ts'

/** Units of a word that is still language; what is longer is data and says nothing here. */
const MAX_WORD_LENGTH = 64
/** First unit past the Latin alphabets, the only ones that the table knows words of. */
const LATIN_END = 0x250

export interface PieceVisitor {
  readonly piece: (piece: number) => void
  /** A word or a pair of characters of another script, as a 32-bit hash. */
  readonly foreign: (hash: number) => void
}

export type ReadPieces = (text: string) => void

const OTHER = 0
const SMALL = 1
const BIG = 2
const FIGURE = 3
const ASCII_KIND = Uint8Array.from({ length: 128 }, (_, unit) => kindOf(classOf(unit)))

/**
 * Visits what a text is made of, in order: WordPieces of words in Latin letters as an uncased BERT model
 * cuts them (lower case, accents off, longest piece first), and for other scripts whole words or pairs of
 * characters. Camel case is cut into its words first; punctuation is no piece. A word of which any part is
 * not in the vocabulary gives nothing. One pass, work for a unit bounded by the longest piece.
 */
export function createPieceReader(index: PieceIndex, visitor: PieceVisitor): ReadPieces {
  const word = new Uint16Array(MAX_WORD_LENGTH)
  const found = new Int32Array(MAX_WORD_LENGTH)

  const endWord = (length: number): void => {
    let pieces = 0
    for (let start = 0; start < length; ) {
      const piece = index.find(word, start, length)
      if (piece < 0) return
      found[pieces] = piece
      pieces += 1
      start += index.lengthOf(piece)
    }
    for (let at = 0; at < pieces; at += 1) visitor.piece(found[at] ?? 0)
  }

  /** Reads a word with letters past ASCII: its units are folded as a string first. */
  const endFolded = (text: string): void => {
    const folded = fold(text)
    if (folded.length > MAX_WORD_LENGTH) return
    for (let at = 0; at < folded.length; at += 1) {
      const unit = folded.charCodeAt(at)
      if (unit >= LATIN_END) {
        visitor.foreign(hashOf(folded))
        return
      }
      word[at] = unit
    }
    endWord(folded.length)
  }

  return (text) => {
    let at = 0
    while (at < text.length) {
      const unit = text.charCodeAt(at)
      const kind = unit < 128 ? (ASCII_KIND[unit] ?? OTHER) : kindAt(text, at)
      if (kind === OTHER) {
        at += widthAt(text, at)
        continue
      }
      if (kind < 0) {
        at = readUnspaced(text, at, visitor.foreign)
        continue
      }
      const start = at
      let isAscii = true
      let before = OTHER
      let beforeThat = OTHER
      let last = kind
      for (;;) {
        const here = text.charCodeAt(at)
        if (here >= 128) isAscii = false
        else if (at - start < MAX_WORD_LENGTH) word[at - start] = last === BIG ? here + 32 : here
        at += here < 128 ? 1 : widthAt(text, at)
        if (at >= text.length) break
        const next = text.charCodeAt(at)
        const nextKind = next < 128 ? (ASCII_KIND[next] ?? OTHER) : kindAt(text, at)
        if (nextKind <= OTHER) break
        beforeThat = before
        before = last
        last = nextKind
        // `userName` ends before its capital, `HTTPServer` before the capital that a small letter follows.
        if (last === BIG && before !== BIG) break
        if (last === SMALL && before === BIG && beforeThat === BIG) {
          at -= text.charCodeAt(at - 1) >= 0xdc00 && text.charCodeAt(at - 1) <= 0xdfff ? 2 : 1
          break
        }
      }
      if (!isAscii) endFolded(text.slice(start, Math.min(at, start + 4 * MAX_WORD_LENGTH)))
      else if (at - start <= MAX_WORD_LENGTH) endWord(at - start)
    }
  }
}

/** Kinds of a class: below 0 for scripts without spaces between words. */
function kindOf(found: number): number {
  if (found === LETTER) return SMALL
  if (found === CAPITAL) return BIG
  if (found === DIGIT) return FIGURE
  return OTHER
}

function kindAt(text: string, at: number): number {
  const found = classOf(text.codePointAt(at) ?? 0)
  return found === UNSPACED ? -1 : kindOf(found)
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** Visits the pairs of a run of such characters, and a single one by itself. Returns where it ends. */
function readUnspaced(text: string, start: number, visit: (hash: number) => void): number {
  let at = start
  let previous = ''
  let pairs = 0
  while (at < text.length && kindAt(text, at) < 0) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    at += character.length
    if (previous !== '') {
      visit(hashOf(previous + character))
      pairs += 1
    }
    previous = character
  }
  if (pairs === 0) visit(hashOf(previous))
  return at
}

function fold(text: string): string {
  let plain = ''
  for (const character of text.normalize('NFKD').toLowerCase()) {
    if (character < '\u0300' || character > '\u036f') plain += character
  }
  return plain
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash
}
