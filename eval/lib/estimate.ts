import { createRandom } from './random.ts'

/** A mean with the 95% interval that a bootstrap gives it. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
  /** What was drawn from: questions, requests, sessions. */
  readonly units: number
}

const ROUNDS = 1_000
const SEED = 20_240_229

/** The mean over units. Every unit is drawn by itself. */
export function estimateMean(values: readonly number[]): Estimate {
  return estimateRatio(values.map((value) => ({ part: value, whole: 1 })))
}

export interface Ratio {
  readonly part: number
  readonly whole: number
}

/**
 * The sum of the parts by the sum of the wholes, where units are drawn with both: a share of turns that
 * come in conversations, a share of facts that come in sessions. NaN where the wholes sum to nothing.
 */
export function estimateRatio(units: readonly Ratio[]): Estimate {
  const value = ratioOf(units)
  const random = createRandom(SEED)
  const drawn: number[] = []
  for (let round = 0; round < ROUNDS && units.length > 0; round += 1) {
    let part = 0
    let whole = 0
    for (let draw = 0; draw < units.length; draw += 1) {
      const unit = units[random.below(units.length)]!
      part += unit.part
      whole += unit.whole
    }
    if (whole > 0) drawn.push(part / whole)
  }
  drawn.sort((a, b) => a - b)
  return { value, low: quantile(drawn, 0.025), high: quantile(drawn, 0.975), units: units.length }
}

function ratioOf(units: readonly Ratio[]): number {
  const part = units.reduce((sum, unit) => sum + unit.part, 0)
  const whole = units.reduce((sum, unit) => sum + unit.whole, 0)
  return whole === 0 ? Number.NaN : part / whole
}

/** Of an ascending list, by the nearest rank. NaN of an empty one. */
export function quantile(ascending: readonly number[], share: number): number {
  const rank = Math.ceil(share * ascending.length) - 1
  return ascending[Math.min(ascending.length - 1, Math.max(0, rank))] ?? Number.NaN
}
