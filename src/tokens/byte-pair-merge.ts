import { NO_RANK, type Vocabulary } from './vocabulary.ts'

/**
 * Up to this many bytes the next merge is found by looking at all of them: quadratic, but with no
 * structure to build. Longer pieces go to long-piece-merge.ts.
 */
export const SHORT_PIECE_BYTES = 96

/** Counts the tokens of `length` bytes at `start`. */
export type CountMerged = (
  bytes: Uint8Array,
  view: DataView,
  start: number,
  length: number,
) => number

/**
 * Byte pair encoding of a piece of at most SHORT_PIECE_BYTES: from single bytes on, the adjacent pair
 * whose concatenation has the lowest rank is merged, the leftmost first where ranks are equal, until no
 * pair is a token.
 */
export function createShortPieceMerge(vocabulary: Vocabulary): CountMerged {
  const { pairs, rankOf } = vocabulary
  // Part i begins at starts[i]; ranks[i] is that of parts i and i + 1 together.
  const starts = new Int32Array(SHORT_PIECE_BYTES + 1)
  const ranks = new Int32Array(SHORT_PIECE_BYTES + 1)

  return (bytes, view, start, length) => {
    for (let index = 0; index < length; index++) {
      starts[index] = start + index
      ranks[index] = pairs[
        ((bytes[start + index] as number) << 8) | (bytes[start + index + 1] as number)
      ] as number
    }
    starts[length] = start + length
    let parts = length
    while (parts > 1) {
      let lowest = NO_RANK
      let at = 0
      for (let index = 0; index < parts - 1; index++) {
        const rank = ranks[index] as number
        if (rank < lowest) {
          lowest = rank
          at = index
        }
      }
      if (lowest === NO_RANK) return parts
      parts--
      for (let index = at + 1; index < parts; index++) {
        starts[index] = starts[index + 1] as number
        ranks[index] = ranks[index + 1] as number
      }
      starts[parts] = start + length
      const from = starts[at] as number
      if (at < parts - 1) ranks[at] = rankOf(view, from, (starts[at + 2] as number) - from)
      if (at > 0) {
        const before = starts[at - 1] as number
        ranks[at - 1] = rankOf(view, before, (starts[at + 1] as number) - before)
      }
    }
    return parts
  }
}
