/** Values that differ by less than this are the same value with another rounding. */
const LEAST_DEVIATION = 1e-9

export interface Moments {
  readonly mean: number
  /** 1 where all values are the same, so that it can be divided by. */
  readonly deviation: number
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
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
  const sums = new Float64Array(values.length)
  for (let index = 0; index < values.length; index += 1) {
    let sum = (weights[0] ?? 0) * (values[index] as number)
    for (let distance = 1; distance < weights.length; distance += 1) {
      const before = values[index - distance] ?? 0
      const after = values[index + distance] ?? 0
      sum += (weights[distance] as number) * (before + after)
    }
    sums[index] = sum
  }
  return sums
}

/** The highest value but `nth` - 1, the lowest where there are fewer, and 0 where there is none or it is below. */
export function nthHighest(values: Float64Array, nth: number): number {
  const highest: number[] = []
  for (const value of values) {
    const lowest = highest[highest.length - 1]
    if (highest.length === nth && lowest !== undefined && value <= lowest) continue
    let at = highest.length
    while (at > 0 && (highest[at - 1] ?? 0) < value) at -= 1
    highest.splice(at, 0, value)
    if (highest.length > nth) highest.pop()
  }
  return Math.max(0, highest[highest.length - 1] ?? 0)
}
