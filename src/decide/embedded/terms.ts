import { APOSTROPHE, CAPITAL, classOf, DIGIT, JOINER, LETTER, UNSPACED } from './characters.ts'
import { splitCase } from './identifiers.ts'
import { stem } from './stem.ts'

/** Code units of a word that are read. What is longer is data, and its beginning tells it apart. */
const MAX_WORD_LENGTH = 64
/** Code units of an identifier or path that is a term as a whole, beside its parts. */
const MAX_WHOLE_LENGTH = 128

/** What `a's`, `don't` and `we'll` leave behind the apostrophe. */
const MAX_CLITIC_LENGTH = 2

/**
 * Calls `visit` with each term of a text, in order. One pass over the code points without regular
 * expressions; work per code point is constant. Lower case; accents of Latin letters and English
 * endings taken off; identifiers give themselves and their parts; text without spaces between words
 * gives pairs of characters. No list of stop words: how rare a term is says what it is worth.
 */
export function forEachTerm(text: string, visit: (term: string) => void): void {
  let index = 0
  while (index < text.length) {
    const codePoint = text.codePointAt(index) ?? 0
    const kind = classOf(codePoint)
    if (kind === LETTER || kind === CAPITAL || kind === DIGIT)
      index = visitChunk(text, index, visit)
    else if (kind === UNSPACED) index = visitPairs(text, index, visit)
    else index += codePoint > 0xffff ? 2 : 1
  }
}

/** Reads words held together by joiners from `start`; returns where the chunk ends. */
function visitChunk(text: string, start: number, visit: (term: string) => void): number {
  let wordStart = start
  let words = 0
  for (;;) {
    const wordEnd = endOfWord(text, wordStart)
    if (wordEnd > wordStart) {
      visitWord(text.slice(wordStart, Math.min(wordEnd, wordStart + MAX_WORD_LENGTH)), visit)
      words += 1
    }
    if (classOf(text.codePointAt(wordEnd) ?? 0) !== JOINER) {
      if (words > 1) visitWhole(text, start, wordEnd, visit)
      return skipClitic(text, wordEnd)
    }
    wordStart = wordEnd + 1
  }
}

function endOfWord(text: string, start: number): number {
  let index = start
  for (;;) {
    const codePoint = text.codePointAt(index)
    if (codePoint === undefined) return index
    const kind = classOf(codePoint)
    if (kind !== LETTER && kind !== CAPITAL && kind !== DIGIT) return index
    index += codePoint > 0xffff ? 2 : 1
  }
}

/** The chunk itself, without the joiners that dangle at its end. */
function visitWhole(
  text: string,
  start: number,
  chunkEnd: number,
  visit: (term: string) => void,
): void {
  if (chunkEnd - start > MAX_WHOLE_LENGTH) return
  let end = chunkEnd
  while (classOf(text.charCodeAt(end - 1)) === JOINER) end -= 1
  visit(fold(text.slice(start, end)))
}

function skipClitic(text: string, index: number): number {
  if (classOf(text.codePointAt(index) ?? 0) !== APOSTROPHE) return index
  for (let length = 0; length <= MAX_CLITIC_LENGTH; length += 1) {
    const kind = classOf(text.codePointAt(index + 1 + length) ?? 0)
    if (kind !== LETTER && kind !== CAPITAL) return index + 1 + length
  }
  return index + 1
}

function visitWord(word: string, visit: (term: string) => void): void {
  if (isPlain(word)) {
    visit(stem(word))
    return
  }
  const whole = fold(word)
  const pieces = splitCase(word)
  if (pieces.length === 1) {
    visit(stem(whole))
    return
  }
  visit(whole)
  for (const piece of pieces) visit(stem(fold(piece)))
}

/** Most words: nothing to fold and nothing to split. */
function isPlain(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index)
    if (unit > 122 || (unit < 97 && unit > 57)) return false
  }
  return true
}

function visitPairs(text: string, start: number, visit: (term: string) => void): number {
  let previous = ''
  let index = start
  let pairs = 0
  for (;;) {
    const codePoint = text.codePointAt(index)
    if (codePoint === undefined || classOf(codePoint) !== UNSPACED) break
    const character = String.fromCodePoint(codePoint)
    if (previous !== '') {
      visit(previous + character)
      pairs += 1
    }
    previous = character
    index += character.length
  }
  if (pairs === 0) visit(previous)
  return index
}

/** Lower case, one form per letter, and plain letters where taking accents off leaves only those. */
function fold(word: string): string {
  const lower = word.toLowerCase()
  if (isAscii(lower)) return lower
  let plain = ''
  for (const character of lower.normalize('NFKD')) {
    if (character < '\u0300' || character > '\u036f') plain += character
  }
  return isAscii(plain) ? plain : lower.normalize('NFKC')
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) > 127) return false
  return true
}
