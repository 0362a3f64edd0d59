import { COEFFICIENTS, FITTED_MAXIMUM } from './coefficients.ts'
import { FEATURES, type Matches } from './features.ts'
import type { CountedDocument } from './query.ts'

/** P of a judge that knows nothing: the confidence of a boolean is |2p - 1|, so 0 here. */
const NO_OPINION = 0.5

/**
 * Below the first strength a request says nothing, from the second on enough. In returns of held-out
 * composites the ranking is at chance below 0.8 (area 0.32 to 0.56) and well above it from there on
 * (0.79 to 0.93): docs/decisions/0003-embedded-decide-first-form.md.
 */
const MUTE_STRENGTH = 0.4
const CLEAR_STRENGTH = 0.8

/** Keeps an answer a number that can be summed and told from certainty. */
const MIN_PROBABILITY = 1e-6

const WEIGHTS = FEATURES.map((name) => COEFFICIENTS[name])
const MAXIMA = FEATURES.map((name) => FITTED_MAXIMUM[name] ?? Number.POSITIVE_INFINITY)

/**
 * P(needed) of each judged document. Two things pull an answer towards "don't know": a request
 * whose words the conversation hardly knows ("go on"), and a document that was read in part only.
 */
export function probabilities(
  matches: Matches,
  documents: readonly CountedDocument[],
): readonly number[] {
  const clarity = clarityOf(matches.strength)
  return matches.rows.map((row, index) => {
    const fitted = sigmoid(logit(row))
    const said = NO_OPINION + clarity * (fitted - NO_OPINION)
    const unread = documents[index]?.unreadShare ?? 0
    const answer = said < NO_OPINION ? said + unread * (NO_OPINION - said) : said
    return Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, answer))
  })
}

/** 0 where the request names nothing that the conversation knows, 1 where it names enough. */
export function clarityOf(strength: number): number {
  const clarity = (strength - MUTE_STRENGTH) / (CLEAR_STRENGTH - MUTE_STRENGTH)
  return Math.min(1, Math.max(0, clarity))
}

/** Log-odds. What belongs to the request is held to what the fit has seen. */
function logit(row: Float64Array): number {
  let sum = 0
  for (let index = 0; index < row.length; index += 1) {
    const value = Math.min(row[index] ?? 0, MAXIMA[index] ?? Number.POSITIVE_INFINITY)
    sum += value * (WEIGHTS[index] ?? 0)
  }
  return sum
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
