import { cutAfter, cutBefore } from '../engine/text-cut.ts'

/** Of what is kept, the share that stands before the gap: messages tend to open with their subject. */
const HEAD_SHARE = 2 / 3

const gap = (omitted: number): string => ` [... ${omitted} characters left out ...] `

/**
 * Keeps the head and the tail of a text and says between them how much is missing. Never splits a
 * surrogate pair, and replaces surrogates that had no partner in the input: some servers answer 500
 * to them.
 *
 * @param maxChars most UTF-16 code units of the result
 */
export function shortenText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return wellFormed(text)
  const room = maxChars - gap(text.length).length
  if (room < 2) return wellFormed(text.slice(0, cutBefore(text, maxChars)))
  const headRoom = Math.ceil(room * HEAD_SHARE)
  const headEnd = cutBefore(text, headRoom)
  const tailStart = cutAfter(text, text.length - (room - headRoom))
  const head = text.slice(0, headEnd)
  const tail = text.slice(tailStart)
  return wellFormed(`${head}${gap(tailStart - headEnd)}${tail}`)
}

const LONE_SURROGATE = /\p{Surrogate}/gu

function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
