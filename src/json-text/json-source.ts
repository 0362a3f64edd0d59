import {
  type ByteRange,
  documentRange,
  elementRanges,
  memberRanges,
  type ValueRange,
} from './ranges.ts'

export interface JsonSource {
  readonly text: Buffer
  /** The value of the whole document. */
  readonly document: ByteRange
  /**
   * The value of the document's own member of that name; of several the last, which is the one that
   * JSON.parse keeps. Undefined where there is none, or the document is no object.
   */
  readonly member: (name: string) => ValueRange | undefined
  /** The elements of that member, in order. Undefined where there is none; empty if it is no array. */
  readonly elements: (name: string) => readonly ByteRange[] | undefined
}

export interface JsonSourceOptions {
  /**
   * Name of the member, such as `messages`, whose elements will be asked for: they are found together
   * with it, and its range carries them, which spares `encodeLike` and `elements` a pass.
   */
  readonly elementsOf?: string
}

/**
 * The places of a document's members and of their elements, for the bytes (UTF-8, a leading byte
 * order mark is ignored) that JSON.parse has accepted. Nothing is looked for before it is asked for;
 * the members are then remembered. The bytes are not copied, and must not change.
 */
export const createJsonSource = (
  text: Buffer,
  { elementsOf }: JsonSourceOptions = {},
): JsonSource => {
  const document = documentRange(text)
  let members: ReadonlyMap<string, ValueRange> | undefined

  const member = (name: string): ValueRange | undefined => {
    // A Map keeps the last of several values of one key.
    members ??= new Map(
      memberRanges(text, document, elementsOf).map(({ key, valueRange }) => [key, valueRange]),
    )
    return members.get(name)
  }

  return {
    text,
    document,
    member,
    elements: (name) => {
      const range = member(name)
      return range === undefined ? undefined : elementRanges(text, range)
    },
  }
}
