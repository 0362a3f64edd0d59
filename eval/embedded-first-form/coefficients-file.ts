import { writeFileSync } from 'node:fs'
import { FEATURES } from '../../src/decide/embedded/features.ts'

const PATH = new URL('../../src/decide/embedded/coefficients.ts', import.meta.url)

/** Features of the request that are held to what the fit has seen: a pasted file is no such request. */
const HELD = ['logStrength', 'logTerms'] as const
const HELD_SHARE = 0.99

/** Text of `src/decide/embedded/coefficients.ts`. */
export function coefficientsText(
  rows: readonly Float64Array[],
  weights: Float64Array,
  composites: number,
): string {
  const coefficients = FEATURES.map((name, index) => `  ${name}: ${rounded(weights[index]!)},`)
  const maxima = HELD.map((name) => {
    const column = FEATURES.indexOf(name)
    const sorted = rows.map((row) => row[column]!).sort((a, b) => a - b)
    return `  ${name}: ${rounded(sorted[Math.floor(HELD_SHARE * (sorted.length - 1))]!)},`
  })
  return `/**
 * Written by eval/embedded-first-form.ts --write: do not edit. Fitted on ${composites.toLocaleString('en')} composites (${rows.length.toLocaleString('en')}
 * judged turns) of MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from './features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-1'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
${coefficients.join('\n')}
}

/** What 99% of the turns of the fit stay below, for features that belong to the request. */
export const FITTED_MAXIMUM: Readonly<Partial<Record<FeatureName, number>>> = {
${maxima.join('\n')}
}
`
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}

export function writeCoefficients(text: string): void {
  writeFileSync(PATH, text)
}
