/**
 * What goes, and how far: an exchange with a claim is cleared, and dropped as soon as the claim is
 * dropped. What goes thereby settles what rests on it in turn, each unit once.
 */
import type { Judged } from './relevance-policy.ts'

type Manner = 'drop' | 'clear'

export interface Departure<Unit> {
  readonly unit: Unit
  readonly manner: Manner
}

export interface Departures<Unit> {
  /** Tokens saved by all that was taken. */
  readonly saved: () => number
  /** Whether it would save anything, as things stand. */
  readonly wouldSave: (unit: Unit) => boolean
  /** Leaves it until its claim goes, if it has one. */
  readonly wait: (unit: Unit) => void
  /** Takes it; returns those that waited for it. */
  readonly take: (unit: Unit) => Unit[]
  /** Puts back what the target does not need, the last taken first, and no claim before what rests on it. */
  readonly spare: (tokensNeeded: number) => void
  /** In the order in which they were taken. */
  readonly list: () => Departure<Unit>[]
}

export function createDepartures<Unit extends Judged>(): Departures<Unit> {
  const manners = new Map<Unit, Manner>()
  const dropped = new Set<number>()
  /** Claim -> those that would be dropped if it were. */
  const resting = new Map<number, Unit[]>()
  let saved = 0

  const mannerOf = (unit: Unit): Manner | undefined => {
    const isSettled = unit.claim === undefined || dropped.has(unit.claim)
    if (unit.dropSavings > 0 && isSettled) return 'drop'
    return unit.clearSavings > 0 ? 'clear' : undefined
  }

  const wait = (unit: Unit): void => {
    if (unit.claim === undefined || unit.dropSavings === 0) return
    const others = resting.get(unit.claim)
    if (others === undefined) resting.set(unit.claim, [unit])
    else others.push(unit)
  }

  const take = (unit: Unit): Unit[] => {
    const manner = mannerOf(unit)
    if (manner === undefined) return []
    manners.set(unit, manner)
    saved += savingsOf(unit, manner)
    if (manner === 'clear') {
      wait(unit)
      return []
    }
    return dropEntries(unit)
  }

  /** Drops what was only cleared for a claim that now goes; returns what was not taken at all. */
  const dropEntries = (first: Unit): Unit[] => {
    const waiting: Unit[] = []
    const units = [first]
    for (let unit = units.pop(); unit !== undefined; unit = units.pop()) {
      for (const entry of unit.entries) {
        dropped.add(entry)
        for (const other of resting.get(entry) ?? []) {
          if (!manners.has(other)) {
            waiting.push(other)
            continue
          }
          manners.set(other, 'drop')
          saved += other.dropSavings - other.clearSavings
          units.push(other)
        }
        resting.delete(entry)
      }
    }
    return waiting
  }

  const spare = (tokensNeeded: number): void => {
    const claims = new Map<number, number>()
    const count = ({ claim }: Unit, by: number): void => {
      if (claim !== undefined) claims.set(claim, (claims.get(claim) ?? 0) + by)
    }
    const isDropped = (unit: Unit): boolean => manners.get(unit) === 'drop'
    const taken = [...manners.keys()].reverse()
    for (const unit of taken) if (isDropped(unit)) count(unit, 1)
    for (const unit of taken) {
      const savings = savingsOf(unit, manners.get(unit))
      if (saved - savings < tokensNeeded) continue
      if (isDropped(unit)) {
        if (unit.entries.some((entry) => (claims.get(entry) ?? 0) > 0)) continue
        count(unit, -1)
      }
      manners.delete(unit)
      saved -= savings
    }
  }

  return {
    saved: () => saved,
    wouldSave: (unit) => mannerOf(unit) !== undefined,
    wait,
    take,
    spare,
    list: () => [...manners].map(([unit, manner]) => ({ unit, manner })),
  }
}

function savingsOf(unit: Judged, manner: Manner | undefined): number {
  return manner === 'drop' ? unit.dropSavings : unit.clearSavings
}
