import { type Calibration, createScoreReader } from './calibration.ts'
import type { LabelledScore, LabelledScores } from './labelled-score.ts'
import type { Judgement } from './reliability.ts'

export type FitCalibration = (scores: LabelledScores) => Calibration | undefined

/** Parts that the rows are dealt into; each is judged by a fit to the others. */
const FOLDS = 5

/**
 * What a fit says of rows that it has not seen. Measured on its own rows, a curve that follows them
 * closely looks better than it is. Labels are dealt evenly, in the order of the rows.
 *
 * @returns undefined where some part leaves too little to fit to
 */
export function crossFit(
  { rows, scale }: LabelledScores,
  fitCurve: FitCalibration,
): readonly Judgement[] | undefined {
  const folds = dealRows(rows)
  const judgements: Judgement[] = []
  for (const held of folds) {
    const others = folds.flatMap((fold) => (fold === held ? [] : fold))
    const calibration = fitCurve({ rows: others, scale })
    if (calibration === undefined) return undefined
    const read = createScoreReader(calibration, scale)
    for (const { score, needed } of held) {
      const probability = read(score)
      if (probability !== undefined) judgements.push({ probability, needed })
    }
  }
  return judgements
}

function dealRows(rows: readonly LabelledScore[]): readonly (readonly LabelledScore[])[] {
  const folds: LabelledScore[][] = Array.from({ length: FOLDS }, () => [])
  const sorted = [...rows.filter(({ needed }) => needed), ...rows.filter(({ needed }) => !needed)]
  for (const [place, row] of sorted.entries()) folds[place % FOLDS]?.push(row)
  return folds
}
