import { scoreDocuments } from './bm25.ts'
import type { CountedDocument } from './query.ts'

/**
 * Weight of a neighbour's score by its distance: what was said around a match belongs to it. Wider
 * than two turns ranks better on composites and on LoCoMo than the match and two neighbours alone,
 * and leaves nothing for a BM25 of previous, own and next text to add.
 */
const NEIGHBOURS = [1, 0.5, 0.3, 0.2, 0.1]

/** In the order of their coefficients. All of those that differ by document rise with its match. */
export const FEATURES = [
  'constant',
  'logTotal',
  'logMatch',
  'standardMatch',
  'match',
  'recentShare',
  'logStrength',
  'logTerms',
  'shareOfBest',
] as const

export type FeatureName = (typeof FEATURES)[number]

export interface Matches {
  /** One row per judged document, in the order of `FEATURES`. */
  readonly rows: readonly Float64Array[]
  /**
   * Best score of a single document, the recent ones included: how much the request says that the
   * conversation knows. Near 0 for "go on", 1 for one telling word, more for a question that names things.
   */
  readonly strength: number
}

/**
 * What the model knows of each judged document. `documents` are the judged ones in conversation
 * order and after them the recent ones, which are never judged but count for rarity, as neighbours,
 * and as the place where the request may be answered already.
 */
export function matchDocuments(
  documents: readonly CountedDocument[],
  judged: number,
  queryTerms: number,
): Matches {
  const scores = scoreDocuments(documents, queryTerms)
  const strength = maximum(scores)
  const matches = spread(scores)
  const best = Math.max(maximum(matches), Number.MIN_VALUE)
  const { mean, deviation } = moments(matches.subarray(0, judged))
  const logTotal = Math.log(Math.max(1, documents.length))
  const logStrength = Math.log1p(strength)
  const recentShare = maximum(matches.subarray(judged)) / best
  const logTerms = Math.log1p(queryTerms)
  const rows = Array.from(matches.subarray(0, judged), (match) =>
    Float64Array.of(
      1,
      logTotal,
      Math.log1p(match),
      (match - mean) / deviation,
      match,
      recentShare,
      logStrength,
      logTerms,
      (match / best) * logStrength,
    ),
  )
  return { rows, strength }
}

/** Adds to each score what its neighbours hand on. */
function spread(scores: Float64Array): Float64Array {
  return scores.map((_, index) => {
    let sum = 0
    for (let distance = 0; distance < NEIGHBOURS.length; distance += 1) {
      const weight = NEIGHBOURS[distance] ?? 0
      const before = scores[index - distance] ?? 0
      const after = distance === 0 ? 0 : (scores[index + distance] ?? 0)
      sum += weight * (before + after)
    }
    return sum
  })
}

function maximum(values: Float64Array): number {
  let highest = 0
  for (const value of values) if (value > highest) highest = value
  return highest
}

/** Deviation is 1 where all values are the same, so that it can be divided by. */
function moments(values: Float64Array): { readonly mean: number; readonly deviation: number } {
  const count = Math.max(1, values.length)
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / count
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return { mean, deviation: Math.sqrt(squares / count) || 1 }
}
