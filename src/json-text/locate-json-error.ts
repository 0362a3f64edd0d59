import { BACKSLASH, QUOTE } from './structural-bytes.ts'

/** Offset in UTF-16 code units, and line and column from 1. */
export interface JsonErrorPosition {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/**
 * Where a text stops being JSON, or undefined when it is JSON. V8 says so only for some faults, and in
 * a message that quotes the text, which must not reach a caller's error or a log (P12). Linear, and
 * without recursion or regular expressions, whose stacks a hostile body could exhaust.
 */
export function locateJsonError(text: string): JsonErrorPosition | undefined {
  const offset = firstErrorOffset(text)
  if (offset === undefined) return undefined
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { offset, line, column: offset - lineStart + 1 }
}

type State = 'value' | 'first-value' | 'first-key' | 'key' | 'colon' | 'after-value'

function firstErrorOffset(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let at = 0
  let state: State = 'value'
  for (;;) {
    at = skipWhile(text, at, isWhitespace)
    if (state === 'after-value' && open.length === 0) return at === text.length ? undefined : at
    const character = text[at]
    const inside = open.at(-1)
    const closes =
      (character === '}' && inside === '{' && (state === 'first-key' || state === 'after-value')) ||
      (character === ']' && inside === '[' && (state === 'first-value' || state === 'after-value'))
    if (closes) {
      at += 1
      open.pop()
      state = 'after-value'
    } else if (state === 'colon') {
      if (character !== ':') return at
      at += 1
      state = 'value'
    } else if (state === 'after-value') {
      if (character !== ',') return at
      at += 1
      state = inside === '{' ? 'key' : 'value'
    } else if (state === 'key' || state === 'first-key') {
      if (character !== '"') return at
      const end = scanString(text, at)
      if (end < 0) return ~end
      at = end
      state = 'colon'
    } else if (character === '{' || character === '[') {
      at += 1
      open.push(character)
      state = character === '{' ? 'first-key' : 'first-value'
    } else {
      const end = scanScalar(text, at)
      if (end < 0) return ~end
      at = end
      state = 'after-value'
    }
  }
}

/** Offset after the scalar, or the bitwise complement of the offset of the fault. */
function scanScalar(text: string, at: number): number {
  if (text[at] === '"') return scanString(text, at)
  for (const word of ['true', 'false', 'null']) {
    let same = 0
    while (same < word.length && text[at + same] === word[same]) same += 1
    if (same === word.length) return at + same
    if (same > 0) return ~(at + same)
  }
  return scanNumber(text, at)
}

function scanString(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (Number.isNaN(code) || code < 0x20) return ~at
    if (code !== BACKSLASH) {
      at += 1
      continue
    }
    const escaped = text[at + 1]
    if (escaped === 'u') {
      const end = skipWhile(text.slice(at + 2, at + 6), 0, isHexDigit)
      if (end < 4) return ~(at + 2 + end)
      at += 6
    } else if (escaped !== undefined && '"\\/bfnrt'.includes(escaped)) at += 2
    else return ~(at + 1)
  }
}

function scanNumber(text: string, start: number): number {
  const digits = (from: number) => {
    const end = skipWhile(text, from, isDigit)
    return end === from ? ~from : end
  }
  const integer = text[start] === '-' ? start + 1 : start
  let end = text[integer] === '0' ? integer + 1 : digits(integer)
  if (end >= 0 && text[end] === '.') end = digits(end + 1)
  if (end >= 0 && (text[end] === 'e' || text[end] === 'E')) {
    end = digits(text[end + 1] === '+' || text[end + 1] === '-' ? end + 2 : end + 1)
  }
  return end
}

function skipWhile(text: string, from: number, accepts: (code: number) => boolean): number {
  let at = from
  while (at < text.length && accepts(text.charCodeAt(at))) at += 1
  return at
}

const isWhitespace = (code: number) =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isHexDigit = (code: number) =>
  isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
