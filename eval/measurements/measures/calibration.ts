import type { JudgedCase } from '../../lib/labelled-case.ts'

export interface Bin {
  /** Mean of what was predicted. */
  readonly predicted: number
  /** Share that was needed. */
  readonly observed: number
  readonly count: number
}

interface Pair {
  readonly probability: number
  readonly needed: number
}

/** Bins of equal width in the decimal logarithm of P: `perDecade` of them from one power of ten to the next. */
export function reliability(cases: readonly JudgedCase[], perDecade: number): Bin[] {
  const bins = new Map<number, Pair[]>()
  for (const pair of pairsOf(cases)) {
    const key = Math.floor(perDecade * Math.log10(pair.probability))
    const bin = bins.get(key)
    if (bin === undefined) bins.set(key, [pair])
    else bin.push(pair)
  }
  return [...bins].sort(([a], [b]) => a - b).map(([, pairs]) => binOf(pairs))
}

/**
 * Expected calibration error: the mean distance between predicted and observed over `count` bins that
 * hold equally many answers, ascending in P.
 */
export function calibrationError(cases: readonly JudgedCase[], count = 15): number {
  const pairs = pairsOf(cases).sort((a, b) => a.probability - b.probability)
  let error = 0
  for (let bin = 0; bin < count; bin += 1) {
    const from = Math.floor((bin * pairs.length) / count)
    const members = pairs.slice(from, Math.floor(((bin + 1) * pairs.length) / count))
    if (members.length === 0) continue
    const { predicted, observed } = binOf(members)
    error += (Math.abs(predicted - observed) * members.length) / pairs.length
  }
  return error
}

/** The same over the `top` likeliest turns of each request, where the base rate hides nothing. */
export function topCalibrationError(cases: readonly JudgedCase[], top = 20): number {
  return calibrationError(
    cases.map(({ labelled, scores }) => {
      const best = [...scores.keys()]
        .filter((index) => scores[index] !== undefined)
        .sort((a, b) => scores[b]! - scores[a]! || b - a)
        .slice(0, top)
      const chosen = new Set(best)
      return {
        labelled,
        scores: scores.map((score, index) => (chosen.has(index) ? score : undefined)),
      }
    }),
  )
}

function pairsOf(cases: readonly JudgedCase[]): Pair[] {
  return cases.flatMap(({ labelled, scores }) =>
    scores.flatMap((probability, index) =>
      probability === undefined
        ? []
        : [{ probability, needed: labelled.turns[index]!.needed ? 1 : 0 }],
    ),
  )
}

function binOf(pairs: readonly Pair[]): Bin {
  const sum = (read: (pair: Pair) => number): number =>
    pairs.reduce((total, pair) => total + read(pair), 0)
  return {
    predicted: sum(({ probability }) => probability) / pairs.length,
    observed: sum(({ needed }) => needed) / pairs.length,
    count: pairs.length,
  }
}
