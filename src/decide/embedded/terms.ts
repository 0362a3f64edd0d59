import {
  APOSTROPHE,
  CAPITAL,
  classOf,
  DIGIT,
  JOINER,
  LETTER,
  SEPARATOR,
  UNSPACED,
} from './characters.ts'
import { splitCase } from './identifiers.ts'
import { stem } from './stem.ts'

/** Code units of a word that are read. What is longer is data, and its beginning tells it apart. */
const MAX_WORD_LENGTH = 64
/** Code units of an identifier or path that is a term as a whole, beside its parts. */
const MAX_WHOLE_LENGTH = 128

/** What `a's`, `don't` and `we'll` leave behind the apostrophe. */
const MAX_CLITIC_LENGTH = 2

type Visit = (term: string) => void

/** Classes of ASCII, of which most text is. */
const ASCII_KIND = Uint8Array.from({ length: 128 }, (_, unit) => classOf(unit))

/**
 * Calls `visit` with the terms of a text, in order, and returns how many there are. One pass over the code points without regular
 * expressions; work per code point is constant. Lower case; accents of Latin letters and English
 * endings taken off; identifiers give themselves and their parts; text without spaces between words
 * gives pairs of characters. No list of stop words: how rare a term is says what it is worth.
 */
export function forEachTerm(text: string, visit: Visit): number {
  let terms = 0
  let index = 0
  while (index < text.length) {
    const kind = kindAt(text, index)
    if (isWordKind(kind)) {
      const start = index
      let wordStart = start
      let words = 0
      let end = start
      // Words held together by joiners, of which the last ones may dangle.
      for (;;) {
        end = endOfWord(text, wordStart)
        if (end > wordStart) {
          const readEnd = Math.min(end, wordStart + MAX_WORD_LENGTH)
          terms += visitWord(text, wordStart, readEnd, visit)
          words += 1
        }
        if (end >= text.length || kindAt(text, end) !== JOINER) break
        wordStart = end + 1
      }
      if (words > 1) terms += visitWhole(text, start, end, visit)
      index = skipClitic(text, end)
    } else if (kind === UNSPACED) {
      const end = endOfRun(text, index)
      terms += visitPairs(text, index, end, visit)
      index = end
    } else {
      index += widthAt(text, index)
    }
  }
  return terms
}

function isWordKind(kind: number): boolean {
  return kind === LETTER || kind === CAPITAL || kind === DIGIT
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Class of the code point at `index`, which is inside the text. */
function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 128) return ASCII_KIND[unit] ?? SEPARATOR
  return isHighSurrogate(unit) ? classOf(text.codePointAt(index) ?? 0) : classOf(unit)
}

function widthAt(text: string, index: number): number {
  return isHighSurrogate(text.charCodeAt(index)) && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

function endOfWord(text: string, start: number): number {
  let index = start
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    if (unit < 128) {
      if (!isWordKind(ASCII_KIND[unit] ?? SEPARATOR)) return index
      index += 1
    } else {
      if (!isWordKind(kindAt(text, index))) return index
      index += widthAt(text, index)
    }
  }
  return index
}

function endOfRun(text: string, start: number): number {
  let index = start
  while (index < text.length && kindAt(text, index) === UNSPACED) index += widthAt(text, index)
  return index
}

/** The chunk itself, without the joiners that dangle at its end. */
function visitWhole(text: string, start: number, chunkEnd: number, visit: Visit): number {
  if (chunkEnd - start > MAX_WHOLE_LENGTH) return 0
  let end = chunkEnd
  while (classOf(text.charCodeAt(end - 1)) === JOINER) end -= 1
  visit(fold(text.slice(start, end)))
  return 1
}

function skipClitic(text: string, index: number): number {
  if (index >= text.length || kindAt(text, index) !== APOSTROPHE) return index
  for (let length = 0; length <= MAX_CLITIC_LENGTH; length += 1) {
    const kind = classOf(text.codePointAt(index + 1 + length) ?? 0)
    if (kind !== LETTER && kind !== CAPITAL) return index + 1 + length
  }
  return index + 1
}

function visitWord(text: string, start: number, end: number, visit: Visit): number {
  const isWhole = isUndivided(text, start, end)
  const word = text.slice(start, end)
  const whole = isPlain(word) ? word : fold(word)
  const pieces = isWhole ? [] : splitCase(word)
  if (pieces.length <= 1) {
    visit(stem(whole))
    return 1
  }
  visit(whole)
  for (const piece of pieces) visit(stem(fold(piece)))
  return 1 + pieces.length
}

/** Most words: small letters and digits, perhaps after one capital, which no camel case divides. */
function isUndivided(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  for (let index = first >= 65 && first <= 90 ? start + 1 : start; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit > 122 || (unit < 97 && unit > 57)) return false
  }
  return true
}

/** Nothing to fold. */
function isPlain(word: string): boolean {
  const first = word.charCodeAt(0)
  return (first < 65 || first > 90) && isUndivided(word, 0, word.length)
}

function visitPairs(text: string, start: number, end: number, visit: Visit): number {
  let previous = ''
  let pairs = 0
  for (let index = start; index < end; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
    if (previous !== '') {
      visit(previous + character)
      pairs += 1
    }
    previous = character
    index += character.length
  }
  if (pairs > 0) return pairs
  visit(previous)
  return 1
}

/** Lower case, one form per letter, and plain letters where taking accents off leaves only those. */
function fold(word: string): string {
  const small = word.toLowerCase()
  if (isAscii(small)) return small
  let plain = ''
  for (const character of small.normalize('NFKD')) {
    if (character < '\u0300' || character > '\u036f') plain += character
  }
  return isAscii(plain) ? plain : small.normalize('NFKC')
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) > 127) return false
  return true
}
