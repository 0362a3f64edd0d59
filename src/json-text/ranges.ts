/**
 * Where values stand in the bytes of a JSON document. All functions take bytes that JSON.parse has
 * accepted as UTF-8; on any other text they end, but what they give means nothing. Nothing is looked
 * into but the container that was asked for: the values in it are passed over, one pass each.
 */
import { skipString } from './skip-string.ts'
import { isWhiteSpace, skipValue, skipWhiteSpace } from './skip-value.ts'
import {
  BACKSLASH,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './structural-bytes.ts'

/** Offsets in bytes: `start` of the first byte, `end` after the last. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A value and, where it is an array that has been looked into, its elements. */
export interface ValueRange extends ByteRange {
  readonly elements?: readonly ByteRange[]
}

export interface MemberRange {
  /** The name as JSON.parse gives it. */
  readonly key: string
  /** The name as it is written, with its quotes. */
  readonly keyRange: ByteRange
  readonly valueRange: ValueRange
}

/**
 * The value of the whole document, without byte order mark and white space around it. Looks at the two
 * ends of the text only.
 */
export const documentRange = (text: Buffer): ByteRange => {
  const hasMark = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf
  const start = skipWhiteSpace(text, hasMark ? 3 : 0)
  let end = text.length
  while (end > start && isWhiteSpace(text[end - 1])) end -= 1
  return { start, end }
}

export const isArrayText = (text: Buffer, range: ByteRange): boolean =>
  text[range.start] === OPENING_BRACKET

export const isObjectText = (text: Buffer, range: ByteRange): boolean =>
  text[range.start] === OPENING_BRACE

/** The elements of the array in `range`, in order; none where the value is no array. */
export const elementRanges = (text: Buffer, range: ValueRange): readonly ByteRange[] =>
  range.elements ?? (isArrayText(text, range) ? scanArray(text, range.start).elements : [])

/**
 * The members of the object in `range`, in the order of the text, those included that a later member
 * of the same name replaces; none where the value is no object. Arrays that are members of the name
 * `elementsOf` are looked into on the way, which spares a pass over them.
 */
export const memberRanges = (
  text: Buffer,
  range: ByteRange,
  elementsOf?: string,
): readonly MemberRange[] => {
  const ranges: MemberRange[] = []
  if (!isObjectText(text, range)) return ranges
  let index = skipWhiteSpace(text, range.start + 1)
  while (text[index] === QUOTE) {
    const keyRange = { start: index, end: skipString(text, index + 1) }
    const key = decodeKey(text, keyRange)
    const colon = skipWhiteSpace(text, keyRange.end)
    const start = skipWhiteSpace(text, colon + 1)
    const valueRange: ValueRange =
      key === elementsOf && text[start] === OPENING_BRACKET
        ? scanArray(text, start)
        : { start, end: skipValue(text, start) }
    ranges.push({ key, keyRange, valueRange })
    const comma = skipWhiteSpace(text, valueRange.end)
    if (text[comma] !== COMMA) break
    index = skipWhiteSpace(text, comma + 1)
  }
  return ranges
}

const scanArray = (text: Buffer, start: number): Required<ValueRange> => {
  const elements: ByteRange[] = []
  let index = skipWhiteSpace(text, start + 1)
  while (index < text.length && text[index] !== CLOSING_BRACKET) {
    const end = skipValue(text, index)
    elements.push({ start: index, end })
    index = skipWhiteSpace(text, end)
    if (text[index] !== COMMA) break
    index = skipWhiteSpace(text, index + 1)
  }
  return { start, end: index + 1, elements }
}

const decodeKey = (text: Buffer, { start, end }: ByteRange): string => {
  for (let index = start + 1; index < end; index += 1) {
    if (text[index] === BACKSLASH) return decodeEscapes(text.toString('utf8', start, end))
  }
  return text.toString('utf8', start + 1, end - 1)
}

/** As it is written where the escapes are none, which JSON.parse would not have accepted. */
const decodeEscapes = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
