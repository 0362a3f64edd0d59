import { COEFFICIENTS } from './coefficients.ts'
import { FEATURES, type Matches, type ReadDocument } from './features.ts'

/** P of a judge that knows nothing: the confidence of a boolean is |2p - 1|, so 0 here. */
const NO_OPINION = 0.5

/**
 * From this much named on, answers stand as they were fitted; below it they are pulled towards "don't
 * know", in their order. docs/decisions/0008-embedded-model.md has the worth of the ranking by what is named.
 */
export const CLEARLY_NAMED = 0.4

/** Keeps an answer a number that can be summed and told from certainty. */
const MIN_PROBABILITY = 1e-6

const WEIGHTS = FEATURES.map((name) => COEFFICIENTS[name])

/**
 * P(needed) of each judged document. Two things pull an answer towards "don't know": a request
 * whose words the conversation hardly knows ("go on"), and a document that was read in part only.
 */
export function probabilities(
  matches: Matches,
  documents: readonly ReadDocument[],
): readonly number[] {
  const clarity = clarityOf(matches.named)
  return matches.rows.map((row, index) => {
    const fitted = sigmoid(logit(row))
    const said = NO_OPINION + clarity * (fitted - NO_OPINION)
    const unread = documents[index]?.counted.unreadShare ?? 0
    const answer = said < NO_OPINION ? said + unread * (NO_OPINION - said) : said
    return Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, answer))
  })
}

/** Whether the request names nothing that the conversation knows. */
export function isMute({ named }: Matches): boolean {
  return clarityOf(named) === 0
}

/** 0 where the request names nothing that the conversation knows, 1 where it names enough. */
export function clarityOf(named: number): number {
  return Math.min(1, Math.max(0, named / CLEARLY_NAMED))
}

function logit(row: Float64Array): number {
  let sum = 0
  for (let index = 0; index < row.length; index += 1) {
    sum += (row[index] ?? 0) * (WEIGHTS[index] ?? 0)
  }
  return sum
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
