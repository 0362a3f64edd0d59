import { FEATURES } from '../../src/decide/embedded/features.ts'
import { CLEARLY_NAMED } from '../../src/decide/embedded/probability.ts'
import { buildClozes } from './cloze.ts'
import { coefficientsText } from './coefficients-file.ts'
import { buildComposites, type Dialogue } from './composites.ts'
import { fitLogistic, type Sample } from './fit-logistic.ts'
import type { LabelledCase } from './labelled-case.ts'
import { matchesOf } from './matches.ts'

const COMPOSITE_SEED = 1
const CLOZE_SEED = 11
const CLOZES = 1_000
/**
 * What a turn of a composite counts beside one of a cloze. Composites call every turn of a dialogue needed,
 * those that nobody would miss too: fitted on them alone, the model expects losses that no question has.
 */
const COMPOSITE_WEIGHT = 1 / 5

/** The text of the coefficients file that a fit on these dialogues gives. */
export function fitModel(dialogues: readonly Dialogue[]): string {
  const composites = buildComposites(dialogues, 1, COMPOSITE_SEED)
  const clozes = buildClozes(dialogues, CLOZES, CLOZE_SEED)
  const samples = [...samplesOf(clozes, 1), ...samplesOf(composites, COMPOSITE_WEIGHT)]
  const weights = fitLogistic(samples)
  for (const [index, name] of FEATURES.entries()) {
    console.log(`  ${name.padEnd(20)} ${weights[index]!.toFixed(4).padStart(8)}`)
  }
  return coefficientsText(weights, composites.length + clozes.length, samples.length)
}

/** Requests that name too little are left out: their answers are pulled towards "don't know" anyway. */
function samplesOf(cases: readonly LabelledCase[], weight: number): Sample[] {
  return cases.flatMap((labelled) => {
    const { rows, named } = matchesOf(labelled)
    if (named < CLEARLY_NAMED) return []
    return rows.map((row, index) => ({ row, needed: labelled.turns[index]!.needed, weight }))
  })
}
