import { HEADER_BYTES, WIDTH } from '../../src/decide/embedded/static-table.ts'

/** The least cosine between two rows of the same number; -1 where the tables hold other pieces. */
export function leastCosine(one: Buffer, other: Buffer): number {
  const rowsAt = HEADER_BYTES + one.readUInt32LE(12) + 4 * one.readUInt32LE(8)
  const vocabularyEnd = HEADER_BYTES + one.readUInt32LE(12)
  const isAlike =
    one.length === other.length &&
    one.subarray(0, vocabularyEnd).equals(other.subarray(0, vocabularyEnd))
  if (!isAlike) return -1
  let least = 1
  for (let start = rowsAt; start < one.length; start += WIDTH) {
    least = Math.min(least, rowCosine(one, other, start))
  }
  return least
}

function rowCosine(one: Buffer, other: Buffer, start: number): number {
  let [dot, left, right] = [0, 0, 0]
  for (let at = start; at < start + WIDTH; at += 1) {
    const [a, b] = [one.readInt8(at), other.readInt8(at)]
    dot += a * b
    left += a * a
    right += b * b
  }
  return left === 0 && right === 0 ? 1 : dot / Math.sqrt(left * right || 1)
}
