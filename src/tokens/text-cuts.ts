/**
 * Where to cut a long text so that the counts of its cuts add up to its own. A place is safe if a piece
 * ends there whatever stands on either side, and if the text before it would have been cut into the same
 * pieces had it ended there:
 *
 * - before a space that follows a visible ASCII character: only whitespace is ever followed by a space
 *   inside a piece;
 * - behind a line feed that a visible character other than `/` follows: a piece with a line feed ends with
 *   its last one (or with slashes, in o200k_base).
 */
function isSafeCut(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  if (after === SPACE) return before > SPACE && before < DELETE
  if (before !== LINE_FEED) return false
  return (after > SPACE && after < DELETE && after !== SLASH) || after > LAST_WIDE_SPACE
}

const LINE_FEED = 0x0a
const SPACE = 0x20
const SLASH = 0x2f
const DELETE = 0x7f
/** No whitespace comes after U+3000 for a Rust regex. */
const LAST_WIDE_SPACE = 0x3000

/**
 * End of the cut that begins at `from`: the last safe place within `units` UTF-16 units, else the first
 * one after them, else the end of the text.
 */
export function cutEnd(text: string, from: number, units: number): number {
  const limit = from + units
  if (limit >= text.length) return text.length
  for (let at = limit; at > from; at--) if (isSafeCut(text, at)) return at
  for (let at = limit + 1; at < text.length; at++) if (isSafeCut(text, at)) return at
  return text.length
}
