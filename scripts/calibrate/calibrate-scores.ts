import { type Calibration, createScoreReader } from '../../src/decide/calibration/calibration.ts'
import { crossFit } from '../../src/decide/calibration/cross-fit.ts'
import { fitIsotonic } from '../../src/decide/calibration/fit-isotonic.ts'
import { fitPlatt } from '../../src/decide/calibration/fit-platt.ts'
import { hasBothLabels, type LabelledScores } from '../../src/decide/calibration/labelled-score.ts'
import {
  type Judgement,
  measureReliability,
  type Reliability,
} from '../../src/decide/calibration/reliability.ts'

export const METHODS = { platt: fitPlatt, isotonic: fitIsotonic } as const
export type Method = keyof typeof METHODS

/** Fewer of either label say next to nothing about a probability. */
const MIN_OF_EACH_LABEL = 10

export interface CalibrationReport {
  readonly calibration: Calibration
  readonly rows: number
  readonly needed: number
  /** Scores taken as they are. */
  readonly before: Reliability
  /** By five fits, each to the rows that it does not judge. */
  readonly after: Reliability
}

/** @throws Error where the rows cannot be fitted, in words for who runs the command */
export function calibrateScores(
  scores: LabelledScores,
  method: Method,
  binCount: number,
): CalibrationReport {
  const { rows, scale } = scores
  const needed = rows.filter((row) => row.needed).length
  if (Math.min(needed, rows.length - needed) < MIN_OF_EACH_LABEL || !hasBothLabels(rows)) {
    throw new Error(
      `${rows.length} rows, ${needed} of them needed: at least ${MIN_OF_EACH_LABEL} of either kind are wanted`,
    )
  }
  const fitCurve = METHODS[method]
  const calibration = fitCurve(scores)
  const judged = crossFit(scores, fitCurve)
  if (calibration === undefined || judged === undefined) {
    throw new Error('the scores do not differ enough to fit a curve through them')
  }
  if (calibration.method === 'platt' && calibration.a <= 0) {
    throw new Error('needed messages have no higher scores than the others: nothing to calibrate')
  }
  const read = createScoreReader(undefined, scale)
  const raw = rows.flatMap(({ score, needed }): Judgement[] => {
    const probability = read(score)
    return probability === undefined ? [] : [{ probability, needed }]
  })
  return {
    calibration: rounded(calibration),
    rows: rows.length,
    needed,
    before: measureReliability(raw, binCount),
    after: measureReliability(judged, binCount),
  }
}

/** Digits beyond these say nothing; those of scores stay, so that no two become one. */
function rounded(calibration: Calibration): Calibration {
  if (calibration.method === 'platt') {
    const { a, b } = calibration
    return { ...calibration, a: Number(a.toPrecision(6)), b: Number(b.toPrecision(6)) }
  }
  const points = calibration.points.map(
    ([score, probability]) => [score, Number(probability.toFixed(6))] as const,
  )
  return { ...calibration, points }
}
