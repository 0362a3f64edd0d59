import { hashBytes, SPARE_BYTES, sameBytes, TAIL_MASK } from './byte-hash.ts'
import type { CountMerged } from './byte-pair-merge.ts'

/** Longer pieces are merged anew each time: they are rare, and would fill the cache soon. */
const LONGEST_CACHED_PIECE = 256

const SLOTS = 2 ** 17
/** Two words that identify the piece, its length and count, its place in the arena. */
const SLOT_WORDS = 4
const SLOT_MASK = SLOTS * SLOT_WORDS - 1
/** A key lives in one of this many neighbouring slots, so that no set of keys makes a lookup long. */
const PROBES = 8
const ARENA_BYTES = 2 ** 21
/** Pieces up to this length lie whole in their slot, longer ones in the arena. */
const INLINE_BYTES = 8

/**
 * Puts a cache in front of a count of pieces of at least two bytes. Exact: a piece is compared byte by
 * byte with what was stored. Holds copies of bytes in two buffers of fixed size (4 MiB together), never a
 * reference to a text. Where all slots of a key are taken the first one is overwritten; when the arena is
 * full the cache starts afresh.
 */
export function createPieceCache(countMerged: CountMerged): CountMerged {
  const slots = new Int32Array(SLOTS * SLOT_WORDS)
  const arena = new Uint8Array(ARENA_BYTES + SPARE_BYTES)
  const arenaView = new DataView(arena.buffer)
  let arenaEnd = 0

  return (bytes, view, start, length) => {
    if (length > LONGEST_CACHED_PIECE) return countMerged(bytes, view, start, length)
    const inline = length <= INLINE_BYTES
    let first = view.getInt32(start, true)
    let second = 0
    if (!inline) {
      second = first
      first = hashBytes(view, start, length)
    } else if (length > 4) {
      second = view.getInt32(start + 4, true) & (TAIL_MASK[length - 4] as number)
    } else {
      first &= TAIL_MASK[length] as number
    }
    const home = homeSlot(first, second)
    let slot = home
    for (let probe = 0; ; probe++) {
      const lengthAndTokens = slots[slot + 2] as number
      if (lengthAndTokens === 0) break
      if (
        slots[slot] === first &&
        slots[slot + 1] === second &&
        lengthAndTokens >>> 16 === length &&
        (inline || sameBytes(view, start, arenaView, slots[slot + 3] as number, length))
      ) {
        return lengthAndTokens & 0xffff
      }
      if (probe === PROBES - 1) {
        slot = home
        break
      }
      slot = (slot + SLOT_WORDS) & SLOT_MASK
    }

    const tokens = countMerged(bytes, view, start, length)
    if (!inline) {
      if (arenaEnd + length > ARENA_BYTES) {
        slots.fill(0)
        arenaEnd = 0
      }
      slots[slot + 3] = arenaEnd
      for (let offset = 0; offset < length; offset++) {
        arena[arenaEnd++] = bytes[start + offset] as number
      }
    }
    slots[slot] = first
    slots[slot + 1] = second
    slots[slot + 2] = (length << 16) | tokens
    return tokens
  }
}

function homeSlot(first: number, second: number): number {
  let hash = Math.imul(first ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1)
  hash ^= hash >>> 15
  return Math.imul(hash, SLOT_WORDS) & SLOT_MASK
}
