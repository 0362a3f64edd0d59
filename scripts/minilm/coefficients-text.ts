import { FEATURES } from '../../src/decide/embedded/features.ts'
import { MODEL_VERSION } from '../../src/decide/minilm/coefficients.ts'

/** Text of `src/decide/minilm/coefficients.ts`. */
export function coefficientsText(weights: Float64Array, cases: number, turns: number): string {
  const lines = FEATURES.map((name, index) => `  ${name}: ${Number(weights[index]!.toFixed(4))},`)
  return `/**
 * Written by scripts/fit-minilm.ts --write: do not edit. Fitted on ${cases.toLocaleString('en')} conversations (${turns.toLocaleString('en')}
 * judged turns) put together from MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from '../embedded/features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = '${MODEL_VERSION}'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
${lines.join('\n')}
}
`
}
