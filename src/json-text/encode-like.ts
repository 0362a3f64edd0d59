import { type ByteSink, collectBytes, writeBytes, writeText } from './byte-sink.ts'
import { deepPieces, freshPiece, freshPieces } from './fresh-pieces.ts'
import { likePiece, likePieces } from './like-pieces.ts'
import type { Piece } from './pieces.ts'
import type { ValueRange } from './ranges.ts'

/**
 * The JSON bytes of `after`, in which everything that is the very same as in `before` keeps the bytes
 * that it has in `text`: number spellings, escapes, white space, the order of members, duplicates.
 *
 * `before` is what JSON.parse gave for the value that stands in `range` of `text`, and has not been
 * changed since; `after` is an edit of it that was made copy-on-write. The very same means by identity
 * for arrays and objects, by Object.is for the rest.
 *
 * - Nothing changed: the range itself, as a view of `text` and not a copy.
 * - Objects: members in the order of the text, new ones last; of several members of one name the last
 *   is the one that counts, and it is written once.
 * - Arrays: elements in the order of `after`, each from the place in `before` that it came from (see
 *   `matchElements`), so that dropping, inserting, moving and rewriting some leaves the others alone.
 * - White space around an element or member travels with it.
 * - What `before` does not have is written as JSON.stringify writes it.
 *
 * JSON.parse gives for the result what it gives for JSON.stringify(after), the order of members aside.
 * Takes any depth. Time is linear in the sizes of both, and once more the size of what is rewritten
 * for every level of arrays and objects that the edit reaches down.
 *
 * @throws TypeError where JSON.stringify does (cycles, BigInt), and for a value that has no JSON
 */
export const encodeLike = (
  after: unknown,
  before: unknown,
  text: Buffer,
  range: ValueRange,
): Buffer =>
  Object.is(after, before)
    ? text.subarray(range.start, range.end)
    : collectBytes((sink) => writeLike(sink, after, before, text, range))

/** Writes what `encodeLike` gives into a sink that others write into as well. */
export const writeLike = (
  sink: ByteSink,
  after: unknown,
  before: unknown,
  text: Buffer,
  range: ValueRange,
): void => {
  const whole = likePiece(after, before, range) ?? freshPiece(after)
  if (whole === undefined) throw new TypeError('The value has no JSON')
  const pending: Piece[] = [whole]
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    if (piece.kind === 'copy') writeBytes(sink, text, piece.range.start, piece.range.end)
    else if (piece.kind === 'text') writeText(sink, piece.text)
    else pushFirstOnTop(pending, piecesOf(piece, text))
  }
}

type CompositePiece = Exclude<Piece, { readonly kind: 'copy' | 'text' }>

/** What the piece consists of. */
const piecesOf = (piece: CompositePiece, text: Buffer): readonly Piece[] => {
  if (piece.kind === 'deep') return deepPieces(piece.value)
  if (piece.kind === 'fresh') return freshPieces(piece.value)
  return likePieces(piece.after, piece.before, text, piece.range) ?? freshPieces(piece.after)
}

const pushFirstOnTop = (pending: Piece[], pieces: readonly Piece[]): void => {
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index]
    if (piece !== undefined) pending.push(piece)
  }
}
