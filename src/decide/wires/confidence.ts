import { isProbability } from './json.ts'

/**
 * Confidence of a choice or a score, where a server sends probabilities alone (OpenRouter's schema
 * makes `confidence` optional). The formulas are those of the System One reference implementation.
 */
export function choiceConfidence(probabilities: readonly unknown[]): number | undefined {
  if (!areProbabilities(probabilities)) return undefined
  const floor = 1 / probabilities.length
  return clamp((Math.max(...probabilities) - floor) / (1 - floor))
}

/** @param probabilities one per level, in the order of the levels */
export function scoreConfidence(probabilities: readonly unknown[]): number | undefined {
  if (!areProbabilities(probabilities)) return undefined
  const count = probabilities.length
  const mode = probabilities.indexOf(Math.max(...probabilities))
  const middle = (count - 1) / 2
  let spread = 0
  let evenSpread = 0
  for (const [level, probability] of probabilities.entries()) {
    spread += probability * Math.abs(level - mode)
    evenSpread += Math.abs(level - middle) / count
  }
  return clamp(1 - spread / evenSpread)
}

/**
 * The confidence that was sent, or the one that follows from the probabilities when none was.
 * undefined when what was sent is not a number from 0 to 1.
 */
export function readConfidence(
  sent: unknown,
  derive: () => number | undefined,
): number | undefined {
  if (sent === undefined || sent === null) return derive()
  return isProbability(sent) ? sent : undefined
}

function areProbabilities(values: readonly unknown[]): values is readonly number[] {
  return values.length >= 2 && values.every(isProbability)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
