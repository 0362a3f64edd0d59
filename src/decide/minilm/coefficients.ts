/**
 * Written by scripts/fit-minilm.ts --write: do not edit. Fitted on 3,088 conversations (494,979
 * judged turns) put together from MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from '../embedded/features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-minilm-2'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
  constant: -6.9379,
  logTotal: -1.1986,
  logNamed: -2.3614,
  logTerms: -0.2232,
  logLength: 2.8181,
  recentMatch: -1.176,
  recentLikeness: -2.5382,
  topLikeness: -0.4944,
  topMatch: -1.2684,
  standardLikeness: 0.5388,
  standardSurroundings: 0.5685,
  unlike: 1.432,
  share: 0.8905,
  namedShare: 2.0517,
  shareIfRecent: 0.623,
  surroundingsIfRecent: 0.5823,
  relativeLength: 0.0477,
}
