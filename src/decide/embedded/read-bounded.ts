/**
 * Code units of one text that are read: its beginning and its end. Bounds the work for a document,
 * whatever it holds.
 */
const HEAD_LENGTH = 49_152
const TAIL_LENGTH = 16_384

export interface SpokenText {
  readonly speaker?: string
  readonly text: string
}

/** Visits the part of a text that is read. Returns the share of it that is not, 0 to 1. */
export function readBounded(text: string, visit: (part: string) => void): number {
  const unread = text.length - HEAD_LENGTH - TAIL_LENGTH
  if (unread <= 0) {
    visit(text)
    return 0
  }
  visit(text.slice(0, HEAD_LENGTH))
  visit(text.slice(text.length - TAIL_LENGTH))
  return unread / text.length
}
