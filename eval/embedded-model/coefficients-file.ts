import { writeFileSync } from 'node:fs'
import { FEATURES } from '../../src/decide/embedded/features.ts'

const PATH = new URL('../../src/decide/embedded/coefficients.ts', import.meta.url)

/** Text of `src/decide/embedded/coefficients.ts`. */
export function coefficientsText(weights: Float64Array, cases: number, turns: number): string {
  const coefficients = FEATURES.map((name, index) => `  ${name}: ${rounded(weights[index]!)},`)
  return `/**
 * Written by eval/embedded-model.ts --write: do not edit. Fitted on ${cases.toLocaleString('en')} conversations (${turns.toLocaleString('en')}
 * judged turns) put together from MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from './features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-2'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
${coefficients.join('\n')}
}
`
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}

export function writeCoefficients(text: string): void {
  writeFileSync(PATH, text)
}
