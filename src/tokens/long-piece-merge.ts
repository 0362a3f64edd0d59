import type { CountMerged } from './byte-pair-merge.ts'
import { NO_RANK, type Vocabulary } from './vocabulary.ts'

/** Bytes that are merged at a time; the heap and the lists of that many stay in the processor's cache. */
const WINDOW_BYTES = 4096

/** Ranks stay below 2^18 and positions below 2^31: together they fit a double's 53 bits. */
const POSITION_SPAN = 2 ** 32

/**
 * Byte pair encoding of a piece of any length in windows, each merged with a heap, so that memory does
 * not grow with the piece and the work grows linearly.
 *
 * Why windows are exact: a merge depends on nothing but the ranks and the order of the pairs between two
 * boundaries, so a sequence of tokens is the encoding of its bytes exactly if each adjacent pair is the
 * encoding of its own bytes. The tokens of a window up to some boundary are therefore kept if the next
 * window, begun at that boundary, opens with the same token: every adjacent pair then comes out of one
 * encoding or the other. If it opens with another token, the earlier window's end was felt further back
 * than its spare tail reaches, and the piece is begun again with windows of twice the size; the last of
 * them would hold the whole piece.
 */
export function createLongPieceMerge(
  vocabulary: Vocabulary,
  windowBytes = WINDOW_BYTES,
): CountMerged {
  const shared = createWindow(vocabulary, windowBytes)

  return (bytes, view, start, length) => {
    const end = start + length
    let window = shared
    let from = start
    let opening = 0
    let total = 0
    for (;;) {
      const size = Math.min(window.capacity, end - from)
      const parts = window.merge(bytes, view, from, size)
      const opensOtherwise = opening > 0 && window.partLength(0) !== opening
      if (!opensOtherwise && from + size === end) return total + parts
      const cut = opensOtherwise ? 0 : window.lastPartWithin(size - (window.capacity >>> 3))
      if (cut === 0) {
        window = createWindow(vocabulary, window.capacity * 2)
        from = start
        opening = 0
        total = 0
      } else {
        opening = window.partLength(cut)
        total += window.partsBefore(cut)
        from += cut
      }
    }
  }
}

/** Merges up to `capacity` bytes and keeps where the parts stand. Offsets are from the window's start. */
function createWindow(vocabulary: Vocabulary, capacity: number) {
  const { pairs, rankOf } = vocabulary
  const next = new Int32Array(capacity + 1)
  const previous = new Int32Array(capacity + 1)
  // Rank of the part at an offset together with the next one; NO_RANK too where no part begins any more.
  const ranks = new Int32Array(capacity + 1)
  // A merge takes one entry out and puts two in; there are fewer merges than bytes.
  const heap = new Float64Array(2 * capacity + 2)
  let size = 0
  let heapSize = 0

  const siftDown = (from: number): void => {
    const entry = heap[from] as number
    let hole = from
    for (;;) {
      let child = 2 * hole + 1
      if (child >= heapSize) break
      if (child + 1 < heapSize && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= entry) break
      heap[hole] = heap[child] as number
      hole = child
    }
    heap[hole] = entry
  }

  const push = (entry: number): void => {
    let hole = heapSize++
    while (hole > 0) {
      const parent = (hole - 1) >>> 1
      if ((heap[parent] as number) <= entry) break
      heap[hole] = heap[parent] as number
      hole = parent
    }
    heap[hole] = entry
  }

  const rerank = (view: DataView, start: number, offset: number): void => {
    const middle = next[offset] as number
    let rank = NO_RANK
    if (middle < size) rank = rankOf(view, start + offset, (next[middle] as number) - offset)
    ranks[offset] = rank
    if (rank !== NO_RANK) push(rank * POSITION_SPAN + offset)
  }

  const merge = (bytes: Uint8Array, view: DataView, start: number, length: number): number => {
    size = length
    heapSize = 0
    for (let offset = 0; offset <= length; offset++) {
      next[offset] = offset + 1
      previous[offset] = offset - 1
      ranks[offset] = NO_RANK
    }
    for (let offset = 0; offset + 1 < length; offset++) {
      const rank = pairs[
        ((bytes[start + offset] as number) << 8) | (bytes[start + offset + 1] as number)
      ] as number
      ranks[offset] = rank
      if (rank !== NO_RANK) heap[heapSize++] = rank * POSITION_SPAN + offset
    }
    for (let index = (heapSize >>> 1) - 1; index >= 0; index--) siftDown(index)

    let parts = length
    while (heapSize > 0) {
      const entry = heap[0] as number
      heap[0] = heap[--heapSize] as number
      siftDown(0)
      // `| 0` keeps both small integers to the compiler, here and in all that is called with them.
      const rank = (entry / POSITION_SPAN) | 0
      const offset = (entry - rank * POSITION_SPAN) | 0
      // Its parts were merged otherwise in the meantime.
      if (ranks[offset] !== rank) continue
      const absorbed = next[offset] as number
      const after = next[absorbed] as number
      next[offset] = after
      previous[after] = offset
      ranks[absorbed] = NO_RANK
      parts--
      rerank(view, start, offset)
      if (offset > 0) rerank(view, start, previous[offset] as number)
    }
    return parts
  }

  return {
    capacity,
    merge,
    /** Bytes of the part at an offset. */
    partLength: (offset: number): number => (next[offset] as number) - offset,
    /** Offset of the last part that begins at or before `limit`. */
    lastPartWithin: (limit: number): number => {
      let offset = 0
      while ((next[offset] as number) <= limit) offset = next[offset] as number
      return offset
    },
    partsBefore: (limit: number): number => {
      let parts = 0
      for (let offset = 0; offset < limit; offset = next[offset] as number) parts++
      return parts
    },
  }
}
