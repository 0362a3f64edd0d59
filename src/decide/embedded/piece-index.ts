/** Finds the WordPieces of a vocabulary by their UTF-16 units, without making strings. */
export interface PieceIndex {
  /** Units of the longest piece. */
  readonly longest: number
  /**
   * Number of the longest piece that `units` begins with at `start`, or -1. Pieces that begin a word and
   * pieces that continue one are kept apart. Work is bounded by `longest`.
   */
  readonly find: (units: Uint16Array, start: number, end: number) => number
  /** Units of a piece by its number, without the mark of a continuation. */
  readonly lengthOf: (piece: number) => number
}

const CONTINUATION = '##'
const NONE = -1
const BEGIN_SEED = 0x811c9dc5
const CONTINUE_SEED = 0x2c1b3c6d
const PRIME = 0x01000193
/** Slots for each piece: most looks end at the first. */
const SPARSITY = 3

export function createPieceIndex(pieces: readonly string[]): PieceIndex {
  const bare = pieces.map((piece) =>
    piece.startsWith(CONTINUATION) ? piece.slice(CONTINUATION.length) : piece,
  )
  const offsets = new Uint32Array(pieces.length + 1)
  for (const [index, { length }] of bare.entries()) {
    offsets[index + 1] = (offsets[index] ?? 0) + length
  }
  const text = bare.join('')
  const units = Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  const longest = bare.reduce((most, { length }) => Math.max(most, length), 0)
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, pieces.length * SPARSITY))))
  const mask = slots.length - 1
  slots.fill(NONE)
  for (const [index, piece] of pieces.entries()) {
    let hash = piece.startsWith(CONTINUATION) ? CONTINUE_SEED : BEGIN_SEED
    const end = offsets[index + 1] ?? 0
    for (let at = offsets[index] ?? 0; at < end; at += 1) hash = step(hash, units[at] ?? 0)
    let slot = slotOf(hash, mask)
    while (slots[slot] !== NONE) slot = (slot + 1) & mask
    slots[slot] = index
  }
  const isContinuation = Uint8Array.from(pieces, (piece) =>
    piece.startsWith(CONTINUATION) ? 1 : 0,
  )
  const hashes = new Int32Array(longest + 1)

  const lookUp = (word: Uint16Array, start: number, length: number, hash: number): number => {
    const kind = start === 0 ? 0 : 1
    let slot = slotOf(hash, mask)
    for (;;) {
      const piece = slots[slot] ?? NONE
      if (piece === NONE) return NONE
      const offset = offsets[piece] ?? 0
      if ((offsets[piece + 1] ?? 0) - offset === length && isContinuation[piece] === kind) {
        let same = 0
        while (same < length && units[offset + same] === word[start + same]) same += 1
        if (same === length) return piece
      }
      slot = (slot + 1) & mask
    }
  }

  return {
    longest,
    find: (word, start, end) => {
      const most = Math.min(longest, end - start)
      let hash = start === 0 ? BEGIN_SEED : CONTINUE_SEED
      for (let length = 1; length <= most; length += 1) {
        hash = step(hash, word[start + length - 1] ?? 0)
        hashes[length] = hash
      }
      for (let length = most; length > 0; length -= 1) {
        const piece = lookUp(word, start, length, hashes[length] ?? 0)
        if (piece !== NONE) return piece
      }
      return NONE
    },
    lengthOf: (piece) => (offsets[piece + 1] ?? 0) - (offsets[piece] ?? 0),
  }
}

function step(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME)
}

/** The low bits of the hash alone depend on the low bits of the units alone. */
function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask
}
