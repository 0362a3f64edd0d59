/** Upper bounds of what texts take on the wire, where a request has a limit in bytes. */
import type { Insertion } from './edit.ts'
import type { Part } from './transcript.ts'

const ENCODER = new TextEncoder()

/** Members and brackets around the text of an inserted message, in any format. */
const INSERTION_ENVELOPE_BYTES = 200

/** A member that says of a message that its text is not the whole. */
const REWRITE_ENVELOPE_BYTES = 50

/** A counting marker in any format. */
export const MARKER_BYTES = INSERTION_ENVELOPE_BYTES + 100

/** Bytes of a text as a JSON string in UTF-8. */
function jsonBytes(text: string): number {
  return ENCODER.encode(JSON.stringify(text)).length
}

/**
 * Bytes that leave a message when a text takes the place of a part: at least so many, for escapes and
 * the brackets around media only add to them. 0 where bytes are not limited.
 */
export function savedBytes(
  part: Part,
  text: string,
  { maxBytes }: { readonly maxBytes: number },
): number {
  if (maxBytes === Number.POSITIVE_INFINITY) return 0
  const said = ENCODER.encode(part.media?.besideText ?? part.text).length
  return said + (part.media?.bytes ?? 0) - jsonBytes(text) - REWRITE_ENVELOPE_BYTES
}

export function insertionBytes({ text, coversFrom = '', coversTo = '' }: Insertion): number {
  const ids = jsonBytes(coversFrom) + jsonBytes(coversTo)
  return INSERTION_ENVELOPE_BYTES + jsonBytes(text) + 2 * ids
}
