import { scoreDocuments } from './bm25.ts'
import { cosine } from './cosine.ts'
import { isGeneral } from './general-words.ts'
import { maximum, moments, spread, standardised } from './numbers.ts'
import type { CountedDocument, Query } from './query.ts'
import type { TextVector } from './vector-cache.ts'

/**
 * Weights of what neighbours hand on, by distance: what was said around a match belongs to it. The message
 * itself counts no more than the next one, because its own likeness stands beside it as a feature.
 */
const MATCH_NEIGHBOURS = [0.5, 0.5, 0.3, 0.2, 0.1]
const LIKENESS_NEIGHBOURS = [0.5, 0.5, 0.25]

/** What belongs to the request is held to what most composites of the fit have: a pasted file is no such request. */
const MOST_NAMED = 1.2
const MOST_TERMS = 3

/**
 * In the order of their coefficients. Those of `ofRequest` are the same for every document; all others
 * rise with its match, so a better match never lowers the answer.
 */
export const FEATURES = [
  'constant',
  'logTotal',
  'logNamed',
  'logTerms',
  'recentMatch',
  'recentLikeness',
  'bestLikeness',
  'standardLikeness',
  'standardSurroundings',
  'shareOfBest',
  'unlike',
  'unlikeNamed',
] as const

export type FeatureName = (typeof FEATURES)[number]

/** A message with what the model has read of it. */
export interface ReadDocument {
  readonly counted: CountedDocument
  readonly vector: TextVector
}

export interface ReadRequest {
  readonly query: Query
  readonly vector: TextVector
}

export interface Matches {
  /** One row per judged document, in the order of `FEATURES`. */
  readonly rows: readonly Float64Array[]
  /**
   * How much the request names that the conversation knows: the best BM25 of a single document, the recent
   * ones included, by those words of the request that name something. 0 for "do it again", 1 for one telling
   * word, more for a request that names several things.
   */
  readonly named: number
}

/**
 * What the model knows of each judged document. `documents` are the judged ones in conversation
 * order and after them the recent ones, which are never judged but count for rarity, as neighbours,
 * and as the place where the request may be answered already.
 */
export function matchDocuments(
  documents: readonly ReadDocument[],
  judged: number,
  request: ReadRequest,
): Matches {
  const counted = documents.map((document) => document.counted)
  const scores = scoreDocuments(counted, request.query.size)
  const naming = namingTerms(request.query)
  const named = maximum(scoreDocuments(counted, request.query.size, naming))
  const likeness = Float64Array.from(documents, ({ vector }) => cosine(vector, request.vector))
  const matches = spread(scores, MATCH_NEIGHBOURS)
  const surroundings = spread(likeness, LIKENESS_NEIGHBOURS)
  const best = Math.max(maximum(matches), Number.MIN_VALUE)
  const bestLikeness = maximum(likeness.subarray(0, judged))
  const logNamed = Math.min(MOST_NAMED, Math.log1p(named))
  const ofRequest = [
    1,
    Math.log(Math.max(1, documents.length)),
    logNamed,
    Math.min(MOST_TERMS, Math.log1p(naming.size)),
    maximum(matches.subarray(judged)) / best,
    maximum(likeness.subarray(judged)) - bestLikeness,
    bestLikeness,
  ]
  const ofLikeness = moments(likeness.subarray(0, judged))
  const ofSurroundings = moments(surroundings.subarray(0, judged))
  const rows = Array.from(matches.subarray(0, judged), (match, index) => {
    const standardLikeness = standardised(likeness[index] ?? 0, ofLikeness)
    const standardSurroundings = standardised(surroundings[index] ?? 0, ofSurroundings)
    const unlike = Math.min(0, (standardLikeness + standardSurroundings) / 2)
    return Float64Array.of(
      ...ofRequest,
      standardLikeness,
      standardSurroundings,
      (match / best) * logNamed,
      unlike,
      unlike * logNamed,
    )
  })
  return { rows, named }
}

function namingTerms(query: Query): ReadonlySet<number> {
  const naming = new Set<number>()
  for (const [term, id] of query) if (!isGeneral(term)) naming.add(id)
  return naming
}
