import type { ScoreScale } from './calibration.ts'

/** What a model said of a message, and what turned out. */
export interface LabelledScore {
  readonly score: number
  readonly needed: boolean
}

export interface LabelledScores {
  readonly scale: ScoreScale
  readonly rows: readonly LabelledScore[]
}

/**
 * What a fit aims at instead of 1 and 0, so that few data never give a certainty: with n needed and
 * m unneeded rows, (n + 1) / (n + 2) and 1 / (m + 2). Platt 1999, section 2.2.
 */
export function smoothedTargets(rows: readonly LabelledScore[]): (row: LabelledScore) => number {
  const needed = rows.filter((row) => row.needed).length
  const high = (needed + 1) / (needed + 2)
  const low = 1 / (rows.length - needed + 2)
  return (row) => (row.needed ? high : low)
}

/** A curve needs something to pass between. */
export function hasBothLabels(rows: readonly LabelledScore[]): boolean {
  return rows.some(({ needed }) => needed) && rows.some(({ needed }) => !needed)
}
