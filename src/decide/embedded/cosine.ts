import type { TextVector } from './text-vector.ts'

/** Cosine of two vectors in a fixed order of sums; 0 where one of them is of length 0. */
export function cosine(one: TextVector, other: TextVector): number {
  const lengths = one.length * other.length
  if (lengths === 0) return 0
  const { values } = one
  const others = other.values
  let dot = 0
  for (let column = 0; column < values.length; column += 1) {
    dot += (values[column] as number) * (others[column] as number)
  }
  return dot / lengths
}
