export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Median of the ratios within each round. What was measured in one round met the same noise, so the
 * ratio is steadier than that of two medians.
 */
export function medianRatio(values: readonly number[], bases: readonly number[]): number {
  return median(values.map((value, round) => value / (bases[round] ?? Number.NaN)))
}

/** The power of the size that the cost grows with: the slope of the points on logarithmic axes. */
export function exponent(
  points: readonly { readonly messages: number; readonly ms: number }[],
): number {
  const logs = points.map(({ messages, ms }) => ({ x: Math.log(messages), y: Math.log(ms) }))
  const middleX = mean(logs.map(({ x }) => x))
  const middleY = mean(logs.map(({ y }) => y))
  const together = mean(logs.map(({ x, y }) => (x - middleX) * (y - middleY)))
  return together / mean(logs.map(({ x }) => (x - middleX) ** 2))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The value that so large a share of the others does not exceed; the nearest one that was measured. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
