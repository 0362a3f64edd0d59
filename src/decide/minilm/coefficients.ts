/**
 * Written by scripts/fit-minilm.ts --write: do not edit. Fitted on 3,088 conversations (494,979
 * judged turns) put together from MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from '../embedded/features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-minilm-1'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
  constant: -4.2239,
  logTotal: -1.4978,
  logNamed: -2.3037,
  logTerms: -0.1929,
  logLength: 2.498,
  recentMatch: -1.6746,
  recentLikeness: -3.8381,
  topLikeness: -1.8828,
  topMatch: -1.4624,
  standardLikeness: 0.5629,
  standardSurroundings: 0.7044,
  unlike: 0.4592,
  share: 0.617,
  namedShare: 1.8814,
  shareIfRecent: 1.5295,
  surroundingsIfRecent: 0.2445,
  relativeLength: -0.0813,
}
