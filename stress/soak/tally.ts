/** What became of all requests of the soak, by the kind of traffic. */
export interface SoakTally {
  readonly came: (kind: string, what: string) => void
  /** What must not be, with what it was. */
  readonly fault: (what: string) => void
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly faults: ReadonlyMap<string, number>
  readonly total: () => number
}

export function createSoakTally(): SoakTally {
  const outcomes = new Map<string, Map<string, number>>()
  const faults = new Map<string, number>()
  let total = 0
  return {
    outcomes,
    faults,
    total: () => total,
    came(kind, what) {
      total += 1
      const own = outcomes.get(kind) ?? new Map<string, number>()
      outcomes.set(kind, own)
      own.set(what, (own.get(what) ?? 0) + 1)
    },
    fault: (what) => {
      faults.set(what, (faults.get(what) ?? 0) + 1)
    },
  }
}
