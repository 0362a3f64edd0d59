/** Which of the confidently unneeded go, and how far. */
import type { DropOrder } from '../options.ts'
import type { Verdict } from '../report.ts'
import { createDepartures, type Departure, type Departures } from './relevance-departures.ts'

/** What is judged as one: a message, a tool exchange, or a question with its answer. */
export interface Judged {
  /** In conversation order. */
  readonly entries: readonly number[]
  /** The verdict of its highest P(needed). */
  readonly verdict: Verdict
  /** Questions that it took. */
  readonly questions: number
  /** Sum of P(needed) over those: the needed messages expected to be lost with it. */
  readonly risk: number
  /** Tokens saved where it is dropped; 0 where it may not be. */
  readonly dropSavings: number
  /** Tokens saved where its results are cleared; 0 where there is nothing to clear. */
  readonly clearSavings: number
  /** The entry that has to go for this to be dropped; else it is cleared. */
  readonly claim: number | undefined
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

export interface Choice<Unit> {
  readonly gone: readonly Departure<Unit>[]
  /** A cap kept something that was flagged. */
  readonly capHit: boolean
}

/**
 * `flagged` in conversation order. The risk budget is spent on the least needed, whatever the order:
 * the order decides which of them go where the other cap binds. Cost: linear, but for the sort.
 */
export function choose<Unit extends Judged>(
  flagged: readonly Unit[],
  policy: Policy,
): Choice<Unit> {
  const { order, maxDrops, riskBudget, tokensNeeded = Number.POSITIVE_INFINITY } = policy
  const ascending = [...flagged].sort(byNeed)
  const affordable = withinBudget(ascending, riskBudget ?? Number.POSITIVE_INFINITY)
  const departures = createDepartures<Unit>()
  const isTaken = takeInOrder(
    order === 'oldest-first' ? flagged.filter((unit) => affordable.has(unit)) : affordable,
    departures,
    maxDrops,
    tokensNeeded,
  )
  const isEnough = departures.saved() >= tokensNeeded
  if (isEnough) departures.spare(tokensNeeded)
  return {
    gone: departures.list(),
    capHit: !isEnough && (!isTaken || affordable.size < flagged.length),
  }
}

function byNeed(a: Judged, b: Judged): number {
  return a.verdict.probability - b.verdict.probability || (a.entries[0] ?? 0) - (b.entries[0] ?? 0)
}

/** The longest beginning whose risk stays within the budget. */
function withinBudget<Unit extends Judged>(ascending: readonly Unit[], budget: number): Set<Unit> {
  const affordable = new Set<Unit>()
  let risk = 0
  for (const unit of ascending) {
    risk += unit.risk
    if (risk > budget) break
    affordable.add(unit)
  }
  return affordable
}

/** False where the cap stopped it: nothing goes past a unit that no longer fits. */
function takeInOrder<Unit extends Judged>(
  units: Iterable<Unit>,
  departures: Departures<Unit>,
  maxDrops: number,
  tokensNeeded: number,
): boolean {
  let questions = 0
  for (const next of units) {
    const ready = [next]
    for (let unit = ready.pop(); unit !== undefined; unit = ready.pop()) {
      if (departures.saved() >= tokensNeeded) return true
      // What would save nothing, or nothing yet, uses up no cap.
      if (!departures.wouldSave(unit)) {
        departures.wait(unit)
        continue
      }
      questions += unit.questions
      if (questions > maxDrops) return false
      ready.push(...departures.take(unit))
    }
  }
  return true
}
