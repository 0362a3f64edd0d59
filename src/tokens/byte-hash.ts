/**
 * Hash tables of this folder read bytes four at a time and may read up to seven bytes behind a key, which
 * they mask off: every buffer they look into carries this many spare bytes at its end.
 */
export const SPARE_BYTES = 8

/** `TAIL_MASK[n]` keeps the first `n` bytes of a little-endian word. */
export const TAIL_MASK = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1)

/** 32-bit hash of `length` bytes at `start`. For tables only: who uses it must compare the bytes too. */
export function hashBytes(view: DataView, start: number, length: number): number {
  let hash = Math.imul(length, 0x9e3779b1)
  const whole = start + (length & ~3)
  let position = start
  for (; position < whole; position += 4) {
    hash = Math.imul(hash ^ view.getInt32(position, true), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  const rest = length & 3
  if (rest > 0) {
    const tail = view.getInt32(position, true) & (TAIL_MASK[rest] as number)
    hash = Math.imul(hash ^ tail, 0x85ebca6b)
    hash ^= hash >>> 15
  }
  return Math.imul(hash, 0xc2b2ae35)
}

export function sameBytes(
  left: DataView,
  leftStart: number,
  right: DataView,
  rightStart: number,
  length: number,
): boolean {
  const whole = length & ~3
  for (let offset = 0; offset < whole; offset += 4) {
    if (left.getInt32(leftStart + offset, true) !== right.getInt32(rightStart + offset, true)) {
      return false
    }
  }
  const rest = length & 3
  if (rest === 0) return true
  const difference =
    left.getInt32(leftStart + whole, true) ^ right.getInt32(rightStart + whole, true)
  return (difference & (TAIL_MASK[rest] as number)) === 0
}
