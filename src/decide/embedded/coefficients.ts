/**
 * Written by eval/embedded-first-form.ts --write: do not edit. Fitted on 2,088 composites (278,764
 * judged turns) of MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101) and on nothing else.
 */
import type { FeatureName } from './features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-1'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
  constant: 2.0235,
  logTotal: -0.9337,
  logMatch: 1.5852,
  standardMatch: 0.3022,
  match: 0.0846,
  recentShare: -1.979,
  logStrength: -1.784,
  logTerms: -0.3676,
  shareOfBest: 2.0931,
}

/** What 99% of the turns of the fit stay below, for features that belong to the request. */
export const FITTED_MAXIMUM: Readonly<Partial<Record<FeatureName, number>>> = {
  logStrength: 1.9602,
  logTerms: 3.4012,
}
