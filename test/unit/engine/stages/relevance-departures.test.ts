import { describe, expect, it } from 'vitest'
import { choose, type Judged, type Policy } from '../../../../src/engine/stages/relevance-policy.ts'

interface Spec {
  readonly entries: readonly number[]
  readonly claim?: number
  readonly drop?: number
  readonly clear?: number
  readonly probability?: number
}

function toUnit({ entries, claim, drop = 100, clear = 60, probability = 0 }: Spec): Judged {
  return {
    entries,
    claim,
    dropSavings: drop,
    clearSavings: clear,
    verdict: { probability, confidence: 1 - 2 * probability },
    questions: 1,
    risk: probability,
  }
}

/** First entry and manner of what goes, by entry. */
function manners(specs: readonly Spec[], over: Partial<Policy> = {}) {
  const { gone } = choose(specs.map(toUnit), {
    order: 'oldest-first',
    maxDrops: 99,
    riskBudget: undefined,
    tokensNeeded: undefined,
    ...over,
  })
  return gone
    .map(({ unit, manner }): [number, string] => [unit.entries[0] ?? -1, manner])
    .sort(([a], [b]) => a - b)
}

/** Three exchanges in a row, each with a text in the call of the next; the last with its report. */
const CHAIN: readonly Spec[] = [
  { entries: [0, 1], claim: 2 },
  { entries: [2, 3], claim: 4 },
  { entries: [4, 5, 6] },
]

describe('choose, of exchanges with claims', () => {
  it('drops an exchange whose claim goes, in whatever order they are taken', () => {
    const all = [
      [0, 'drop'],
      [2, 'drop'],
      [4, 'drop'],
    ]
    expect(manners(CHAIN)).toEqual(all)
    const newestFirst = CHAIN.map((spec, index) => ({ ...spec, probability: 0.02 - index / 100 }))
    expect(manners(newestFirst, { order: 'least-needed-first' })).toEqual(all)
  })

  it('clears an exchange whose claim stays, and all that rest on its text in turn', () => {
    expect(manners(CHAIN.slice(0, 2))).toEqual([
      [0, 'clear'],
      [2, 'clear'],
    ])
    expect(manners([...CHAIN.slice(0, 2), { entries: [4, 5, 6], claim: 9 }])).toEqual([
      [0, 'clear'],
      [2, 'clear'],
      [4, 'clear'],
    ])
  })

  it('clears what may not be dropped at all', () => {
    expect(manners([{ entries: [0, 1], drop: 0 }])).toEqual([[0, 'clear']])
  })

  it('leaves an exchange alone whose claim stays and of which nothing can be cleared', () => {
    expect(manners([{ entries: [0, 1], claim: 2, clear: 0 }])).toEqual([])
  })

  it('drops such an exchange once its claim goes, ahead of what comes later', () => {
    const specs = [{ entries: [0, 1], claim: 2, clear: 0 }, { entries: [2, 3] }, { entries: [7] }]
    expect(manners(specs, { maxDrops: 2 })).toEqual([
      [0, 'drop'],
      [2, 'drop'],
    ])
    expect(manners(specs, { maxDrops: 1 })).toEqual([[2, 'drop']])
  })

  it('spends neither cap nor savings on what waits for a claim that stays', () => {
    const waiting = { entries: [0, 1], claim: 2, clear: 0 }
    expect(manners([waiting, { entries: [4] }], { maxDrops: 1 })).toEqual([[4, 'drop']])
    expect(manners([waiting, { entries: [4] }], { tokensNeeded: 50 })).toEqual([[4, 'drop']])
  })

  it('counts what a claim that goes lets go in turn towards the target', () => {
    // 60 and 60 cleared, 100 dropped; then 40 more for each that is dropped after all.
    const specs = [...CHAIN, { entries: [8] }]
    expect(manners(specs, { tokensNeeded: 300 })).toHaveLength(3)
    expect(manners(specs, { tokensNeeded: 301 })).toHaveLength(4)
  })

  it('puts back no claim of what was dropped with it', () => {
    const specs = [
      { entries: [0, 1], claim: 2, drop: 500 },
      { entries: [2, 3], drop: 10 },
    ]
    expect(manners(specs, { tokensNeeded: 505 })).toEqual([
      [0, 'drop'],
      [2, 'drop'],
    ])
    expect(manners(specs, { tokensNeeded: 450 })).toEqual([
      [0, 'drop'],
      [2, 'drop'],
    ])
  })

  it('puts back what rests on a claim before the claim', () => {
    const specs = [
      { entries: [0, 1], claim: 2, drop: 10, clear: 5 },
      { entries: [2, 3], drop: 20 },
      { entries: [5], drop: 500 },
    ]
    // The claim comes before in the reverse order and is relied on; what rests on it may stay.
    expect(manners(specs, { tokensNeeded: 515 })).toEqual([
      [2, 'drop'],
      [5, 'drop'],
    ])
  })

  it('puts back a claim too, once nothing that was dropped rests on it any more', () => {
    const specs = [
      { entries: [0, 1], claim: 2, drop: 10, clear: 5, probability: 0.01 },
      { entries: [2, 3], drop: 20 },
      { entries: [5], drop: 500, probability: 0.02 },
    ]
    const byNeed = { order: 'least-needed-first', tokensNeeded: 500 } as const
    expect(manners(specs, byNeed)).toEqual([[5, 'drop']])
  })

  it('settles a long chain from its end in one pass', () => {
    const length = 20_000
    const chain = Array.from({ length }, (_, index): Spec => {
      const isLast = index === length - 1
      return { entries: [index], ...(!isLast && { claim: index + 1 }) }
    })
    const gone = manners(chain, { maxDrops: length })
    expect(gone).toHaveLength(length)
    expect(gone.every(([, manner]) => manner === 'drop')).toBe(true)
    expect(
      new Set(manners(chain.slice(0, -1), { maxDrops: length }).map(([, manner]) => manner)),
    ).toEqual(new Set(['clear']))
  })
})
