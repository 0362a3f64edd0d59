import { scoreDocument, termWeights } from './bm25.ts'
import { cosine } from './cosine.ts'
import { isGeneral } from './general-words.ts'
import { maximum, mean, moments, nthHighest, spread, standardised } from './numbers.ts'
import type { CountedDocument, Query } from './query.ts'
import type { TextVector } from './text-vector.ts'

/**
 * Weights of what neighbours hand on, by distance: what was said around a match belongs to it. The message
 * itself counts no more than the next one, because its own likeness stands beside it as a feature.
 */
const MATCH_NEIGHBOURS = [0.5, 0.5, 0.3, 0.2, 0.1]
const LIKENESS_NEIGHBOURS = [0.5, 0.5, 0.25]

/** What belongs to the request is held to what most composites of the fit have: a pasted file is no such request. */
const MOST_NAMED = 1.2
const MOST_TERMS = 3
/** Logarithms of the mean terms of a message between which the fit has seen conversations. */
const SHORTEST = 2.7
const LONGEST = 5
/** Terms that a message counts with at most in that mean. */
const LONG_MESSAGE = 256

/**
 * What others are measured by is the third-best match: the best may be a message that only repeats the
 * request. A third-best below this share of all that could match says nothing.
 */
const REFERENCE = 3
const LEAST_REFERENCE = 0.05
const MOST_SHARE = 1.5
/** In place of 0 where that is divided by. */
const SMALLEST = 1e-9

/**
 * In the order of their coefficients. Those of the request are the same for every document; all others
 * rise with its match, so a better match never lowers the answer.
 */
export const FEATURES = [
  'constant',
  'logTotal',
  'logNamed',
  'logTerms',
  'logLength',
  'recentMatch',
  'recentLikeness',
  'topLikeness',
  'topMatch',
  'standardLikeness',
  'standardSurroundings',
  'unlike',
  'share',
  'namedShare',
  'shareIfRecent',
  'surroundingsIfRecent',
  'relativeLength',
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
  /** Numbers of those terms of the query that count, where this is a clause of it. Undefined: all. */
  readonly terms?: ReadonlySet<number>
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

/** What stands behind the features, of every document or of the request. */
export interface Comparison {
  /** BM25 with that of the neighbours, and the share of it that the third-best of them is worth. */
  readonly shares: Float64Array
  /** The same by the words that name something alone. */
  readonly namedShares: Float64Array
  readonly likeness: Float64Array
  readonly surroundings: Float64Array
  readonly named: number
  readonly logNamed: number
  /** Numbers of the terms that name something, and what each is worth; others are worth 0. */
  readonly naming: ReadonlySet<number>
  readonly namingWeights: Float64Array
  /** Logarithm of the mean terms of a document: one that is long without end does not move it far. */
  readonly logLength: number
  /** Best match and likeness of the recent documents, third-best of all and of the judged. */
  readonly recentMatch: number
  readonly recentLikeness: number
  readonly topMatch: number
  readonly topLikeness: number
}

/**
 * `documents` are the judged ones in conversation order and after them the recent ones, which are never
 * judged but count for rarity, as neighbours, and as the place where the request may be answered already.
 */
export function compareDocuments(
  documents: readonly ReadDocument[],
  judged: number,
  { query, vector, terms }: ReadRequest,
): Comparison {
  const counted = documents.map((document) => document.counted)
  const { weight, averageLength } = termWeights(counted, query.size, terms)
  const naming = namingTerms(query, terms)
  const namingWeights = weight.map((worth, term) => (naming.has(term) ? worth : 0))
  const scoresOf = (weights: Float64Array): Float64Array => {
    const scores = new Float64Array(counted.length)
    for (let index = 0; index < counted.length; index += 1) {
      scores[index] = scoreDocument(counted[index] as CountedDocument, weights, averageLength)
    }
    return scores
  }
  const namingScores = scoresOf(namingWeights)
  const named = maximum(namingScores)
  const matches = relative(spread(scoresOf(weight), MATCH_NEIGHBOURS), weight)
  const namedMatches = relative(spread(namingScores, MATCH_NEIGHBOURS), namingWeights)
  const likeness = new Float64Array(documents.length)
  for (let index = 0; index < documents.length; index += 1) {
    likeness[index] = cosine((documents[index] as ReadDocument).vector, vector)
  }
  return {
    shares: matches.shares,
    namedShares: namedMatches.shares,
    likeness,
    surroundings: spread(likeness, LIKENESS_NEIGHBOURS),
    named,
    logNamed: Math.min(MOST_NAMED, Math.log1p(named)),
    naming,
    namingWeights,
    logLength: Math.log1p(mean(counted.map(({ length }) => Math.min(length, LONG_MESSAGE)))),
    recentMatch: Math.min(1, maximum(matches.values.subarray(judged)) / matches.whole),
    recentLikeness: maximum(likeness.subarray(judged)),
    topMatch: Math.min(MOST_SHARE, matches.reference / matches.whole),
    topLikeness: nthHighest(likeness.subarray(0, judged), REFERENCE),
  }
}

/** `whole`: what a document of average length would be worth that has each term once. */
function relative(values: Float64Array, weights: Float64Array) {
  const whole = Math.max(
    SMALLEST,
    weights.reduce((sum, weight) => sum + weight, 0),
  )
  const reference = Math.max(nthHighest(values, REFERENCE), LEAST_REFERENCE * whole)
  return {
    values,
    whole,
    reference,
    shares: values.map((value) => Math.min(MOST_SHARE, value / reference)),
  }
}

/** What the request brings to every message of the conversation. */
export function requestFeatures(comparison: Comparison, total: number) {
  const { logNamed, naming, logLength, recentMatch, recentLikeness } = comparison
  const { topLikeness, topMatch } = comparison
  return {
    constant: 1,
    logTotal: Math.log(Math.max(1, total)),
    logNamed,
    logTerms: Math.min(MOST_TERMS, Math.log1p(naming.size)),
    logLength: Math.min(LONGEST, Math.max(SHORTEST, logLength)),
    recentMatch,
    recentLikeness: recentLikeness - topLikeness,
    topLikeness,
    topMatch,
  }
}

/** What the model knows of each judged document of a conversation without tools. */
export function matchDocuments(
  documents: readonly ReadDocument[],
  judged: number,
  request: ReadRequest,
): Matches {
  const comparison = compareDocuments(documents, judged, request)
  const { shares, namedShares, likeness, surroundings, logNamed, logLength } = comparison
  const ofRequest = requestFeatures(comparison, documents.length)
  const fixed = Object.values(ofRequest)
  const { recentMatch, recentLikeness } = ofRequest
  const ofLikeness = moments(likeness.subarray(0, judged))
  const ofSurroundings = moments(surroundings.subarray(0, judged))
  const rows = Array.from({ length: judged }, (_, index) => {
    const standardLikeness = standardised(likeness[index] ?? 0, ofLikeness)
    const standardSurroundings = standardised(surroundings[index] ?? 0, ofSurroundings)
    const share = (shares[index] ?? 0) * logNamed
    const length = documents[index]?.counted.length ?? 0
    const row = new Float64Array(FEATURES.length)
    for (let column = 0; column < fixed.length; column += 1) row[column] = fixed[column] as number
    let column = fixed.length
    row[column++] = standardLikeness
    row[column++] = standardSurroundings
    row[column++] = Math.min(0, (standardLikeness + standardSurroundings) / 2)
    row[column++] = share
    row[column++] = (namedShares[index] ?? 0) * logNamed
    row[column++] = share * recentMatch
    row[column++] = standardSurroundings * recentLikeness
    row[column] = Math.log1p(length) - logLength
    return row
  })
  return { rows, named: comparison.named }
}

function namingTerms(query: Query, terms?: ReadonlySet<number>): ReadonlySet<number> {
  const naming = new Set<number>()
  for (const [term, id] of query) {
    if (terms?.has(id) !== false && !isGeneral(term)) naming.add(id)
  }
  return naming
}
