/** P(needed) of a message, and what turned out. */
export interface Judgement {
  readonly probability: number
  readonly needed: boolean
}

export interface ReliabilityBin {
  readonly from: number
  readonly to: number
  readonly count: number
  /** Means over the bin; undefined where it is empty. */
  readonly probability: number | undefined
  readonly needed: number | undefined
}

export interface Reliability {
  readonly bins: readonly ReliabilityBin[]
  /** Mean squared distance of probability and outcome. */
  readonly brier: number
  /** Mean distance of probability and observed share over the bins, weighted by their counts. */
  readonly calibrationError: number
  /** Messages at or under the probability that lets one be dropped. */
  readonly droppable: {
    readonly count: number
    /** Of them, needed after all: as the probabilities expect, and as it was. */
    readonly expectedNeeded: number
    readonly needed: number
  }
}

/** The default `minDropConfidence` of 0.6 as a probability. */
export const DROP_BAR = 0.2

export function measureReliability(
  judgements: readonly Judgement[],
  binCount: number,
): Reliability {
  const inBin: Judgement[][] = Array.from({ length: binCount }, () => [])
  for (const judgement of judgements) {
    inBin[Math.min(binCount - 1, Math.floor(judgement.probability * binCount))]?.push(judgement)
  }
  const bins = inBin.map((members, index): ReliabilityBin => {
    const isEmpty = members.length === 0
    return {
      from: index / binCount,
      to: (index + 1) / binCount,
      count: members.length,
      probability: isEmpty ? undefined : sumOf(members, probabilityOf) / members.length,
      needed: isEmpty ? undefined : sumOf(members, outcomeOf) / members.length,
    }
  })
  const distance = bins.reduce(
    (sum, { count, probability = 0, needed = 0 }) => sum + count * Math.abs(probability - needed),
    0,
  )
  const droppable = judgements.filter(({ probability }) => probability <= DROP_BAR)
  const squared = (one: Judgement) => (one.probability - outcomeOf(one)) ** 2
  return {
    bins,
    brier: sumOf(judgements, squared) / judgements.length,
    calibrationError: distance / judgements.length,
    droppable: {
      count: droppable.length,
      expectedNeeded: sumOf(droppable, probabilityOf),
      needed: sumOf(droppable, outcomeOf),
    },
  }
}

const probabilityOf = ({ probability }: Judgement) => probability
const outcomeOf = ({ needed }: Judgement) => (needed ? 1 : 0)

function sumOf(members: readonly Judgement[], value: (one: Judgement) => number): number {
  return members.reduce((sum, one) => sum + value(one), 0)
}
