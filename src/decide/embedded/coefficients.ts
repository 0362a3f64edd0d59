/**
 * Written by eval/embedded-model.ts --write: do not edit. Fitted on conversations put together from
 * MT-Bench-101 (Apache-2.0, mtbench101/mt-bench-101), on sessions made up for it, and on nothing else.
 * COEFFICIENTS: 3,088 conversations, 494,979 judged turns.
 * ERRAND_COEFFICIENTS: 1,031 conversations, 95,392 judged turns.
 * WORK_COEFFICIENTS: 269 conversations, 21,197 judged turns.
 */
import type { FeatureName } from './features.ts'
import type { ErrandFeature, WorkFeature } from './session-features.ts'

/** Name of the model in reports and metrics. A change of an answer is a new version. */
export const MODEL_VERSION = 'precis-embedded-3'

export const COEFFICIENTS: Readonly<Record<FeatureName, number>> = {
  constant: -6.686,
  logTotal: -1.178,
  logNamed: -2.8945,
  logTerms: -0.1963,
  logLength: 2.8072,
  recentMatch: -2.3816,
  recentLikeness: -2.6053,
  topLikeness: -1.1719,
  topMatch: -0.7473,
  standardLikeness: 0.5056,
  standardSurroundings: 0.4874,
  unlike: 0.155,
  share: 1.5479,
  namedShare: 2.5506,
  shareIfRecent: 1.3195,
  surroundingsIfRecent: 0.5421,
  relativeLength: -0.2225,
}

export const ERRAND_COEFFICIENTS: Readonly<Record<ErrandFeature, number>> = {
  constant: -3.176,
  logTotal: -0.6264,
  logNamed: -1.6059,
  logTerms: 1.5358,
  recentMatch: 0.0289,
  recentLikeness: -0.1683,
  topLikeness: -0.0118,
  topMatch: -1.1787,
  standardSurroundings: -0.2843,
  unlike: 0.4596,
  share: 1.2732,
  passageLikeness: 0.6845,
  passageMatch: 3.9549,
  isExchange: -0.067,
  saidByUser: 1.004,
  hasFailed: 2.8052,
  isRepeated: -1.1493,
  newness: 0.1938,
}

export const WORK_COEFFICIENTS: Readonly<Record<WorkFeature, number>> = {
  constant: -3.0919,
  logTotal: -0.2064,
  isExchange: 4.0188,
  saidByUser: 3.9312,
  isRepeated: -5.0302,
  newness: 0.6026,
}
