import { COEFFICIENTS, ERRAND_COEFFICIENTS, WORK_COEFFICIENTS } from './coefficients.ts'
import { FEATURES, type FeatureName, type Matches, type ReadDocument } from './features.ts'
import { ERRAND_FEATURES, WORK_FEATURES } from './session-features.ts'

/** P of a judge that knows nothing: the confidence of a boolean is |2p - 1|, so 0 here. */
const NO_OPINION = 0.5

/**
 * From this much named on, answers stand as they were fitted; below it they are pulled towards "don't
 * know", in their order. docs/decisions/0008-embedded-model.md has the worth of the ranking by what is named.
 */
export const CLEARLY_NAMED = 0.4

/** Keeps an answer a number that can be summed and told from certainty. */
const MIN_PROBABILITY = 1e-6

const ERRAND_WEIGHTS = ERRAND_FEATURES.map((name) => ERRAND_COEFFICIENTS[name])
const WORK_WEIGHTS = WORK_FEATURES.map((name) => WORK_COEFFICIENTS[name])

/**
 * P(needed) of each judged document, by the model's own coefficients or by those that another source of
 * vectors was fitted with. Two things pull an answer towards "don't know": a request
 * whose words the conversation hardly knows ("go on"), and a document that was read in part only.
 */
export function probabilities(
  matches: Matches,
  documents: readonly ReadDocument[],
  coefficients: Readonly<Record<FeatureName, number>> = COEFFICIENTS,
): readonly number[] {
  const weights = FEATURES.map((name) => coefficients[name])
  return weigh(matches.rows, documents, weights, clarityOf(matches.named))
}

/** The same in an agent's session, for a request that was just made. */
export function errandProbabilities(
  matches: Matches,
  documents: readonly ReadDocument[],
): readonly number[] {
  return weigh(matches.rows, documents, ERRAND_WEIGHTS, clarityOf(matches.named))
}

/** The same for work that goes on: there is no request that could name too little. */
export function workProbabilities(
  rows: Matches['rows'],
  documents: readonly ReadDocument[],
): readonly number[] {
  return weigh(rows, documents, WORK_WEIGHTS, 1)
}

function weigh(
  rows: Matches['rows'],
  documents: readonly ReadDocument[],
  weights: readonly number[],
  clarity: number,
): readonly number[] {
  return rows.map((row, index) => {
    const fitted = sigmoid(logit(row, weights))
    const said = NO_OPINION + clarity * (fitted - NO_OPINION)
    const unread = documents[index]?.counted.unreadShare ?? 0
    const answer = said < NO_OPINION ? said + unread * (NO_OPINION - said) : said
    return Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, answer))
  })
}

/** Whether the request names nothing that the conversation knows. */
export function isMute({ named }: Pick<Matches, 'named'>): boolean {
  return clarityOf(named) === 0
}

/** 0 where the request names nothing that the conversation knows, 1 where it names enough. */
export function clarityOf(named: number): number {
  return Math.min(1, Math.max(0, named / CLEARLY_NAMED))
}

function logit(row: Float64Array, weights: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < row.length; index += 1) {
    sum += (row[index] ?? 0) * (weights[index] ?? 0)
  }
  return sum
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
