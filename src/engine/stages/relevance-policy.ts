/** Which of the confidently unneeded candidates go. */
import type { DropOrder } from '../options.ts'
import type { Candidate } from '../questions/relevance.ts'
import type { Verdict } from '../report.ts'

export interface Judged {
  readonly candidate: Candidate
  readonly verdict: Verdict
  /** Tokens that go with it. */
  readonly savings: number
}

export interface Policy {
  readonly order: DropOrder
  /** floor(asked x maxDropRatio): past that share the model has likelier misread the request. */
  readonly maxDrops: number
  /** Bound on the sum of P(needed) over what goes; null or undefined for none. */
  readonly riskBudget: number | null | undefined
  /** Stop once so many tokens are saved; undefined to take all. */
  readonly tokensNeeded: number | undefined
}

export interface Choice {
  readonly dropped: readonly Judged[]
  /** A cap kept something that was flagged. */
  readonly capHit: boolean
}

/** `flagged` in conversation order. */
export function choose(flagged: readonly Judged[], policy: Policy): Choice {
  const inOrder =
    policy.order === 'oldest-first'
      ? flagged
      : [...flagged].sort(
          (a, b) =>
            a.verdict.probability - b.verdict.probability ||
            (a.candidate.entries[0] ?? 0) - (b.candidate.entries[0] ?? 0),
        )
  const dropped: Judged[] = []
  let risk = 0
  let saved = 0
  for (const judged of inOrder) {
    if (policy.tokensNeeded !== undefined && saved >= policy.tokensNeeded) {
      return { dropped, capHit: false }
    }
    risk += judged.verdict.probability
    const isOverRisk =
      policy.riskBudget !== undefined && policy.riskBudget !== null && risk > policy.riskBudget
    if (dropped.length >= policy.maxDrops || isOverRisk) return { dropped, capHit: true }
    dropped.push(judged)
    saved += judged.savings
  }
  return { dropped, capHit: false }
}
