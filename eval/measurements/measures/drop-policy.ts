import { dropOrder, type JudgedCase, turnTokens } from '../../lib/labelled-case.ts'

/** A rule for what goes. A member that is left out does not bind. */
export interface DropPolicy {
  /** Highest P(needed) that may go. */
  readonly maxProbability?: number
  /** Share of the judged turns that may go. */
  readonly maxRatio?: number
  /** Bound on the sum of P(needed) over what goes. */
  readonly riskBudget?: number
  readonly order: 'least-needed-first' | 'oldest-first'
}

export interface Dropped {
  /** Turns that were judged, and that went. */
  readonly judged: number
  readonly dropped: number
  /** Tokens of the whole conversation, and of what went. */
  readonly tokens: number
  readonly droppedTokens: number
  /** Sum of P(needed) over what went. */
  readonly expected: number
  /** Needed turns that went. */
  readonly lost: number
}

export function applyPolicy({ labelled, scores }: JudgedCase, policy: DropPolicy): Dropped {
  const { maxProbability = Number.POSITIVE_INFINITY, riskBudget = Number.POSITIVE_INFINITY } =
    policy
  const byNeed = dropOrder(scores)
  const order = policy.order === 'oldest-first' ? byNeed.sort((a, b) => a - b) : byNeed
  const most = Math.floor(scores.length * (policy.maxRatio ?? 1))
  const gone: number[] = []
  let expected = 0
  for (const index of order) {
    const probability = scores[index]!
    if (probability > maxProbability) continue
    if (gone.length >= most || expected + probability > riskBudget) break
    gone.push(index)
    expected += probability
  }
  const tokensOf = (indexes: Iterable<number>): number =>
    [...indexes].reduce((sum, index) => sum + turnTokens(labelled.turns[index]!.text), 0)
  return {
    judged: scores.length,
    dropped: gone.length,
    tokens: tokensOf(labelled.turns.keys()),
    droppedTokens: tokensOf(gone),
    expected,
    lost: gone.filter((index) => labelled.turns[index]!.needed).length,
  }
}
