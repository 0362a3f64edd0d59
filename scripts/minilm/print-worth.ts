import type { LabelledCase } from '../../eval/embedded-model/labelled-case.ts'
import type { VectorOf } from './read-vectors.ts'
import { samplesOf } from './samples.ts'

/** Keeps the logarithm of a certain mistake finite. */
const LEAST = 1e-9

/** How surprising the labels of conversations are that the fit has not seen, in nats for each judged turn. */
export function printWorth(
  name: string,
  cases: readonly LabelledCase[],
  weights: Float64Array,
  vectorOf: VectorOf,
): void {
  const samples = samplesOf(cases, 1, vectorOf)
  let loss = 0
  for (const { row, needed } of samples) {
    const logit = row.reduce((sum, value, column) => sum + value * weights[column]!, 0)
    const probability = 1 / (1 + Math.exp(-logit))
    loss -= Math.log(Math.max(LEAST, needed ? probability : 1 - probability))
  }
  console.log(
    `  held-out ${name}: ${samples.length} turns, log loss ${(loss / samples.length).toFixed(5)}`,
  )
}
