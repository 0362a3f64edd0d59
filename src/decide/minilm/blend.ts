import type { TextVector } from '../embedded/text-vector.ts'

/**
 * Share of the encoder's cosine in the likeness of two texts; the rest is the static table's, which is
 * better where the same rare words matter. scripts/minilm/README.md says how it was chosen.
 */
export const ENCODER_SHARE = 0.7

/**
 * One vector of length 1 whose cosine with another such is the weighted mean of the two cosines. A text that
 * the table knows no word of has the encoder's part alone.
 */
export function blend(encoded: Float32Array, table: TextVector): Float32Array {
  const values = new Float32Array(encoded.length + table.values.length)
  const ofEncoder = Math.sqrt(ENCODER_SHARE) / lengthOf(encoded)
  const ofTable = table.length === 0 ? 0 : Math.sqrt(1 - ENCODER_SHARE) / table.length
  for (let at = 0; at < encoded.length; at += 1) values[at] = (encoded[at] ?? 0) * ofEncoder
  for (let at = 0; at < table.values.length; at += 1) {
    values[encoded.length + at] = (table.values[at] ?? 0) * ofTable
  }
  return values
}

function lengthOf(vector: Float32Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return squares === 0 ? 1 : Math.sqrt(squares)
}
