/**
 * Long texts are read in passages, so that one line which answers a request is not lost among a hundred others.
 */

/** Units of a text that is a passage by itself. */
const LONGEST_WHOLE = 400
/** Units of a passage, in texts that do not need longer ones. */
const USUAL_LENGTH = 240
/** Passages of one text, about. Bounds what is remembered of it. */
const MOST_PASSAGES = 32
/** A passage is cut at the end of a line within so many times its length, else between words. */
const SLACK = 1.5

const SPACE = 0x20
const LINE_END = 0x0a

/** Visits a text in passages, in order; what stands between two of them is a space or the end of a line. */
export function forEachPassage(text: string, visit: (passage: string) => void): void {
  if (text.length <= LONGEST_WHOLE) {
    visit(text)
    return
  }
  const length = Math.max(USUAL_LENGTH, Math.ceil(text.length / MOST_PASSAGES))
  for (let start = 0; start < text.length; ) {
    const end = endOfPassage(text, start, length)
    visit(text.slice(start, end))
    start = end
  }
}

function endOfPassage(text: string, start: number, length: number): number {
  const longest = start + Math.floor(SLACK * length)
  if (longest >= text.length) return text.length
  const line = findUnit(text, LINE_END, start + length, longest)
  if (line > 0) return line
  const space = findUnit(text, SPACE, start + length, longest)
  return space > 0 ? space : longest
}

function findUnit(text: string, unit: number, from: number, to: number): number {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === unit) return at + 1
  return 0
}
