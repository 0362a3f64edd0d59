/** Values that differ by less than this are the same value with another rounding. */
const LEAST_DEVIATION = 1e-9

export interface Moments {
  readonly mean: number
  /** 1 where all values are the same, so that it can be divided by. */
  readonly deviation: number
}

export function moments(values: Float64Array): Moments {
  const count = Math.max(1, values.length)
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / count
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  const deviation = Math.sqrt(squares / count)
  return { mean, deviation: deviation > LEAST_DEVIATION ? deviation : 1 }
}

/** How many deviations a value lies above the mean. */
export function standardised(value: number, { mean, deviation }: Moments): number {
  return (value - mean) / deviation
}

/** The highest value, or 0 where that is higher. */
export function maximum(values: Float64Array): number {
  let highest = 0
  for (const value of values) if (value > highest) highest = value
  return highest
}

/** Each value and its neighbours, weighted by distance; `weights` begins with that of the value itself. */
export function spread(values: Float64Array, weights: readonly number[]): Float64Array {
  return values.map((value, index) => {
    let sum = (weights[0] ?? 0) * value
    for (let distance = 1; distance < weights.length; distance += 1) {
      const before = values[index - distance] ?? 0
      const after = values[index + distance] ?? 0
      sum += (weights[distance] ?? 0) * (before + after)
    }
    return sum
  })
}
