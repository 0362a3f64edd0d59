/** The vector of a text and its length; a text of no known word has a vector of length 0. */
export interface TextVector {
  readonly values: Float32Array
  readonly length: number
}

export function toVector(sum: Float64Array): TextVector {
  const values = new Float32Array(sum)
  let squares = 0
  for (const value of values) squares += value * value
  return { values, length: Math.sqrt(squares) }
}
