import { freshElement, freshPiece } from './fresh-pieces.ts'
import { matchElements, UNMATCHED } from './match-elements.ts'
import { createPieces, type Piece, type Pieces } from './pieces.ts'
import { hasMember, hasToJson, isContainer, isPlainArray, isPlainObject } from './plain-object.ts'
import {
  type ByteRange,
  elementRanges,
  isArrayText,
  isObjectText,
  type MemberRange,
  memberRanges,
  type ValueRange,
} from './ranges.ts'
import { skipWhiteSpace } from './skip-value.ts'

type JsonRecord = Readonly<Record<string, unknown>>

/**
 * One level of `after`, taken from the array or object `before` that stands in `range`; undefined
 * where the two are not of one kind, or the text is not that of `before`.
 */
export const likePieces = (
  after: unknown,
  before: unknown,
  text: Buffer,
  range: ValueRange,
): readonly Piece[] | undefined => {
  if (isPlainArray(after) && isPlainArray(before) && isArrayText(text, range)) {
    const ranges = elementRanges(text, range)
    if (ranges.length === before.length) return likeArray(after, before, { text, range, ranges })
  } else if (isPlainObject(after) && isPlainObject(before) && isObjectText(text, range)) {
    return likeObject(after, before, { text, range, ranges: memberRanges(text, range) })
  }
  return undefined
}

interface ContainerText<Range> {
  readonly text: Buffer
  readonly range: ByteRange
  readonly ranges: readonly Range[]
}

const likeArray = (
  after: readonly unknown[],
  before: readonly unknown[],
  { text, range, ranges }: ContainerText<ByteRange>,
): readonly Piece[] => {
  const pieces = createPieces()
  const matches = matchElements(after, before)
  for (let position = 0; position < after.length; position += 1) {
    const element = after[position]
    const separator = position === 0 ? '[' : ','
    const index = matches[position] ?? UNMATCHED
    const valueRange = ranges[index]
    if (valueRange === undefined) {
      pieces.text(separator)
      pieces.add(freshElement(element))
    } else {
      const piece = likePiece(element, before[index], valueRange) ?? freshElement(element)
      const slot = slotOf(text, range, ranges[index - 1], valueRange)
      addInSlot(pieces, piece, { separator, opener: index === 0 ? '[' : ',', slot, valueRange })
    }
  }
  if (after.length === 0) addEmpty(pieces, range, ranges.length === 0)
  else pieces.copy(range.end - 1, range.end)
  return pieces.list
}

const likeObject = (
  after: JsonRecord,
  before: JsonRecord,
  { text, range, ranges }: ContainerText<MemberRange>,
): readonly Piece[] => {
  const pieces = createPieces()
  const places = lastPlaces(ranges)
  let separator = '{'
  for (const [index, { key, valueRange }] of ranges.entries()) {
    if (places.get(key) !== index || !hasMember(after, key)) continue
    const piece = likePiece(after[key], before[key], valueRange) ?? freshPiece(after[key])
    if (piece === undefined) continue
    const slot = slotOf(text, range, ranges[index - 1]?.valueRange, valueRange)
    addInSlot(pieces, piece, { separator, opener: index === 0 ? '{' : ',', slot, valueRange })
    separator = ','
  }
  for (const key of Object.keys(after)) {
    const piece = places.has(key) ? undefined : freshPiece(after[key])
    if (piece === undefined) continue
    pieces.text(`${separator}${JSON.stringify(key)}:`)
    pieces.add(piece)
    separator = ','
  }
  if (separator === '{') addEmpty(pieces, range, ranges.length === 0)
  else pieces.copy(range.end - 1, range.end)
  return pieces.list
}

const lastPlaces = (ranges: readonly MemberRange[]): ReadonlyMap<string, number> =>
  new Map(ranges.map(({ key }, index) => [key, index]))

/** Undefined where the value can take nothing from the one that was in its place. */
export const likePiece = (
  after: unknown,
  before: unknown,
  range: ValueRange,
): Piece | undefined => {
  if (Object.is(after, before) && after !== undefined) return { kind: 'copy', range }
  return isContainer(after) && isContainer(before) && !hasToJson(after)
    ? { kind: 'like', after, before, range }
    : undefined
}

/** All that stands between two commas or brackets: the value, its name, and white space. */
const slotOf = (
  text: Buffer,
  container: ByteRange,
  previous: ByteRange | undefined,
  value: ByteRange,
): ByteRange => ({
  start: 1 + (previous === undefined ? container.start : skipWhiteSpace(text, previous.end)),
  end: skipWhiteSpace(text, value.end),
})

interface SlotText {
  /** What has to stand before the slot. */
  readonly separator: string
  /** What does stand before it in the document. */
  readonly opener: string
  readonly slot: ByteRange
  readonly valueRange: ByteRange
}

/** The bytes of the slot with the piece in the place of its value. */
const addInSlot = (
  pieces: Pieces,
  piece: Piece,
  { separator, opener, slot, valueRange }: SlotText,
): void => {
  if (separator === opener) {
    pieces.copy(slot.start - 1, slot.start)
  } else {
    pieces.text(separator)
  }
  pieces.copy(slot.start, valueRange.start)
  pieces.add(piece)
  pieces.copy(valueRange.end, slot.end)
}

/** The two brackets, and the white space between them where that was all. */
const addEmpty = (pieces: Pieces, { start, end }: ByteRange, wasEmpty: boolean): void => {
  pieces.copy(start, wasEmpty ? end - 1 : start + 1)
  pieces.copy(end - 1, end)
}
