import { writeFileSync } from 'node:fs'

const PATH = new URL('../../src/decide/embedded/coefficients.ts', import.meta.url)

export interface CoefficientTable {
  readonly name: string
  /** The type of its features. */
  readonly type: string
  readonly features: readonly string[]
  readonly weights: Float64Array
  readonly cases: number
  readonly turns: number
}

/** Text of `src/decide/embedded/coefficients.ts`. */
export function coefficientsText(tables: readonly CoefficientTable[]): string {
  const counts = tables.map(
    ({ name, cases, turns }) =>
      ` * ${name}: ${cases.toLocaleString('en')} conversations, ${turns.toLocaleString('en')} judged turns.`,
  )
  return `/**
 * Written by eval/embedded-model.ts --write: do not edit. Fitted on conversations put together from
 * MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101), on sessions made up for it, and on nothing else.
${counts.join('\n')}
 */
import type { FeatureName } from './features.ts'
import type { ErrandFeature, WorkFeature } from './session-features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-3'
${tables.map(tableText).join('')}`
}

function tableText({ name, type, features, weights }: CoefficientTable): string {
  const lines = features.map((feature, index) => `  ${feature}: ${rounded(weights[index]!)},`)
  return `
export const ${name}: Readonly<Record<${type}, number>> = {
${lines.join('\n')}
}
`
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}

export function writeCoefficients(text: string): void {
  writeFileSync(PATH, text)
}
