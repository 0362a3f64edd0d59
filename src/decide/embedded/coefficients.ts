/**
 * Written by eval/embedded-model.ts --write: do not edit. Fitted on 3,088 conversations (494,979
 * judged turns) put together from MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from './features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-2'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
  constant: 2.1132,
  logTotal: -1.1993,
  logNamed: -2.5387,
  logTerms: 0.2018,
  recentMatch: -0.5951,
  recentLikeness: -0.1312,
  bestLikeness: -1.2259,
  standardLikeness: 0.4639,
  standardSurroundings: 0.2851,
  shareOfBest: 4.265,
  unlike: 0.8529,
  unlikeNamed: 0.2425,
}
