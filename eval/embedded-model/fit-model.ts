import { FEATURES } from '../../src/decide/embedded/features.ts'
import { CLEARLY_NAMED } from '../../src/decide/embedded/probability.ts'
import { ERRAND_FEATURES, WORK_FEATURES } from '../../src/decide/embedded/session-features.ts'
import { buildRecallSessions } from './agent/recall-sessions.ts'
import { buildWorkSessions } from './agent/work-sessions.ts'
import { buildClozes } from './cloze.ts'
import { type CoefficientTable, coefficientsText } from './coefficients-file.ts'
import { buildComposites, type Dialogue } from './composites.ts'
import { fitLogistic, type Sample } from './fit-logistic.ts'
import type { LabelledCase } from './labelled-case.ts'
import { errandMatchesOf, matchesOf, workRowsOf } from './matches.ts'

const COMPOSITE_SEED = 1
const CLOZE_SEED = 11
const CLOZES = 1_000
const RECALL_SEED = 21
const RECALLS = 800
const WORK_SEED = 22
const WORKS = 500

/** The text of the coefficients file that a fit on these dialogues gives. */
export function fitModel(dialogues: readonly Dialogue[]): string {
  const talks = [
    ...buildComposites(dialogues, 1, COMPOSITE_SEED),
    ...buildClozes(dialogues, CLOZES, CLOZE_SEED),
  ]
  const works = buildWorkSessions(WORKS, WORK_SEED)
  const errands = [
    ...buildRecallSessions(dialogues, RECALLS, RECALL_SEED),
    ...works.filter(({ isUnderWay }) => isUnderWay !== true),
  ]
  const goingOn = works.filter(({ isUnderWay }) => isUnderWay === true)
  return coefficientsText([
    fitTable('COEFFICIENTS', 'FeatureName', FEATURES, talks, namedRows(matchesOf)),
    fitTable(
      'ERRAND_COEFFICIENTS',
      'ErrandFeature',
      ERRAND_FEATURES,
      errands,
      namedRows(errandMatchesOf),
    ),
    fitTable('WORK_COEFFICIENTS', 'WorkFeature', WORK_FEATURES, goingOn, workRowsOf),
  ])
}

type RowsOf = (labelled: LabelledCase) => readonly Float64Array[]

/** Requests that name too little are left out: their answers are pulled towards "don't know" anyway. */
function namedRows(matches: typeof matchesOf): RowsOf {
  return (labelled) => {
    const { rows, named } = matches(labelled)
    return named < CLEARLY_NAMED ? [] : rows
  }
}

function fitTable(
  name: string,
  type: string,
  features: readonly string[],
  cases: readonly LabelledCase[],
  rowsOf: RowsOf,
): CoefficientTable {
  const samples = cases.flatMap((labelled) =>
    rowsOf(labelled).map(
      (row, index): Sample => ({ row, needed: labelled.turns[index]!.needed, weight: 1 }),
    ),
  )
  const weights = fitLogistic(samples)
  console.log(`${name}: ${cases.length} conversations, ${samples.length} judged turns`)
  for (const [index, feature] of features.entries()) {
    console.log(`  ${feature.padEnd(24)} ${weights[index]!.toFixed(4).padStart(8)}`)
  }
  return { name, type, features, weights, cases: cases.length, turns: samples.length }
}
