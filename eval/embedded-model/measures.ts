import { type LabelledCase, PROTECT_RECENT } from './labelled-case.ts'

/** The stage's own bar: a no of confidence 0.6. */
const MAX_DROP_PROBABILITY = 0.2
export const RISK_BUDGET = 0.05

export interface JudgedCase {
  readonly labelled: LabelledCase
  /** Higher is kept longer. One per turn outside the recent window. */
  readonly scores: readonly number[]
}

/** Tokens of a turn as the study counted them. */
function turnTokens(text: string): number {
  return Math.ceil(text.length / 4) + 4
}

/**
 * Mean share of the needed turns that are kept when the recent window stays and the rest is filled
 * greedily by score up to `share` of the tokens; and the share of requests that keep all of them.
 */
export function keptAt(cases: readonly JudgedCase[], share: number) {
  let kept = 0
  let complete = 0
  for (const { labelled, scores } of cases) {
    const { turns } = labelled
    const sizes = turns.map(({ text }) => turnTokens(text))
    let left = share * sizes.reduce((sum, size) => sum + size, 0)
    const isKept = new Set<number>()
    for (let index = scores.length; index < turns.length; index += 1) {
      left -= sizes[index]!
      isKept.add(index)
    }
    const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || b - a)
    for (const index of order) {
      if (sizes[index]! > left) continue
      left -= sizes[index]!
      isKept.add(index)
    }
    const needed = [...turns.keys()].filter((index) => turns[index]!.needed)
    const found = needed.filter((index) => isKept.has(index)).length
    kept += found / needed.length
    if (found === needed.length) complete += 1
  }
  return { needed: kept / cases.length, complete: complete / cases.length }
}

/** Share of requests that lose a needed turn when the lowest-scored half of the judged turns goes. */
export function harmAtHalf(cases: readonly JudgedCase[]): number {
  const harmed = cases.filter(({ labelled, scores }) => {
    const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]! || a - b)
    return order
      .slice(0, Math.floor(scores.length / 2))
      .some((index) => labelled.turns[index]!.needed)
  })
  return harmed.length / cases.length
}

/** What goes under the stage's default rules: confident no, at most half, risk budget. */
export function riskBudgetDrops(cases: readonly JudgedCase[]) {
  let expected = 0
  let lost = 0
  let harmed = 0
  let dropped = 0
  let judged = 0
  for (const { labelled, scores } of cases) {
    const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]! || a - b)
    let risk = 0
    let lostHere = 0
    for (const index of order.slice(0, Math.floor(scores.length / 2))) {
      const probability = scores[index]!
      if (probability > MAX_DROP_PROBABILITY || risk + probability > RISK_BUDGET) break
      risk += probability
      dropped += 1
      if (labelled.turns[index]!.needed) lostHere += 1
    }
    expected += risk
    lost += lostHere
    if (lostHere > 0) harmed += 1
    judged += scores.length
  }
  const { length } = cases
  return {
    expected: expected / length,
    lost: lost / length,
    harmed: harmed / length,
    dropped: dropped / judged,
  }
}

/** Mean over requests of the chance that a needed turn outranks one that is not. */
export function areaUnderCurve(cases: readonly JudgedCase[]): number {
  const areas = cases.flatMap(({ labelled, scores }) => {
    const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]!)
    let needed = 0
    let ranks = 0
    for (let start = 0; start < order.length; ) {
      let end = start
      while (end < order.length && scores[order[end]!] === scores[order[start]!]) end += 1
      for (const index of order.slice(start, end)) {
        if (!labelled.turns[index]!.needed) continue
        needed += 1
        ranks += (start + end + 1) / 2
      }
      start = end
    }
    const others = order.length - needed
    if (needed === 0 || others === 0) return []
    return [(ranks - (needed * (needed + 1)) / 2) / (needed * others)]
  })
  return areas.reduce((sum, area) => sum + area, 0) / areas.length
}

export interface Bin {
  readonly predicted: number
  readonly observed: number
  readonly count: number
}

/** Half-decades of predicted probability, and in each how often the turn was needed. */
export function reliability(cases: readonly JudgedCase[]): Bin[] {
  const bins = new Map<number, { predicted: number; needed: number; count: number }>()
  for (const { labelled, scores } of cases) {
    scores.forEach((probability, index) => {
      const key = Math.floor(2 * Math.log10(probability))
      const bin = bins.get(key) ?? { predicted: 0, needed: 0, count: 0 }
      bin.predicted += probability
      bin.needed += labelled.turns[index]!.needed ? 1 : 0
      bin.count += 1
      bins.set(key, bin)
    })
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([, { predicted, needed, count }]) => ({
      predicted: predicted / count,
      observed: needed / count,
      count,
    }))
}

/** Scores by position: the newest are kept longest. */
export function byPosition(labelled: LabelledCase): JudgedCase {
  const judged = labelled.turns.length - PROTECT_RECENT
  return { labelled, scores: Array.from({ length: judged }, (_, index) => index) }
}
