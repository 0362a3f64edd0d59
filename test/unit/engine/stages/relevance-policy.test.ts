import { describe, expect, it } from 'vitest'
import { choose, type Judged, type Policy } from '../../../../src/engine/stages/relevance-policy.ts'

function unit(entry: number, probability: number, over: Partial<Judged> = {}): Judged {
  return {
    entries: [entry],
    verdict: { probability, confidence: Math.abs(probability - 0.5) * 2 },
    questions: 1,
    risk: probability,
    dropSavings: 100,
    clearSavings: 0,
    claim: undefined,
    ...over,
  }
}

/** Flagged messages with these probabilities, in the order of the conversation, 100 tokens each. */
function flagged(...probabilities: readonly number[]): Judged[] {
  return probabilities.map((probability, entry) => unit(entry, probability))
}

/** The first entries of what goes, in the order in which it was taken. */
function chosen(judged: readonly Judged[], over: Partial<Policy> = {}) {
  const { gone, capHit } = choose(judged, {
    order: 'oldest-first',
    maxDrops: 99,
    riskBudget: undefined,
    tokensNeeded: undefined,
    ...over,
  })
  return { dropped: gone.map(({ unit: { entries } }) => entries[0]), capHit }
}

const order = 'least-needed-first'

describe('choose', () => {
  it('takes all that is flagged where nothing binds', () => {
    expect(chosen(flagged(0.1, 0.2, 0))).toEqual({ dropped: [0, 1, 2], capHit: false })
    expect(chosen([])).toEqual({ dropped: [], capHit: false })
  })

  it('spares the newest flagged where the cap binds oldest first', () => {
    expect(chosen(flagged(0.2, 0.19, 0.01, 0), { maxDrops: 2 })).toEqual({
      dropped: [0, 1],
      capHit: true,
    })
  })

  it('spares the most needed where the cap binds by need, ties oldest first', () => {
    expect(chosen(flagged(0.2, 0.01, 0.1, 0.01, 0.1), { maxDrops: 3, order })).toEqual({
      dropped: [1, 3, 2],
      capHit: true,
    })
  })

  it('hits no cap that holds exactly what is flagged', () => {
    expect(chosen(flagged(0.1, 0.1), { maxDrops: 2 })).toEqual({ dropped: [0, 1], capHit: false })
    expect(chosen(flagged(0.1), { maxDrops: 0 })).toEqual({ dropped: [], capHit: true })
    expect(chosen([], { maxDrops: 0 }).capHit).toBe(false)
  })

  it('takes the least needed while the needed messages that it expects to lose stay within the budget', () => {
    const judged = flagged(0.04, 0.03, 0.0, 0.02)
    expect(chosen(judged, { order, riskBudget: 0.05 })).toEqual({
      dropped: [2, 3, 1],
      capHit: true,
    })
    expect(chosen(judged, { order, riskBudget: 0.09 })).toEqual({
      dropped: [2, 3, 1, 0],
      capHit: false,
    })
  })

  it('spends the risk budget on the least needed oldest first too', () => {
    expect(chosen(flagged(0.04, 0.03, 0, 0.02), { riskBudget: 0.05 })).toEqual({
      dropped: [1, 2, 3],
      capHit: true,
    })
  })

  it('takes ties that no budget holds oldest first, whatever the order', () => {
    for (const some of ['oldest-first', order] as const) {
      expect(chosen(flagged(0.1, 0.1, 0.1), { order: some, riskBudget: 0.2 })).toEqual({
        dropped: [0, 1],
        capHit: true,
      })
    }
  })

  it('takes nothing but the certain under a risk budget of 0', () => {
    expect(chosen(flagged(0.01, 0), { order, riskBudget: 0 })).toEqual({
      dropped: [1],
      capHit: true,
    })
  })

  it.each([null, undefined, 1_000_000])('is bound by no risk budget of %s', (riskBudget) => {
    expect(chosen(flagged(0.2, 0.2, 0.2), { riskBudget })).toEqual({
      dropped: [0, 1, 2],
      capHit: false,
    })
  })

  it.each([
    ['the cap, oldest first', { maxDrops: 2, riskBudget: 0.06 }, [0, 1]],
    ['the cap, by need', { order, maxDrops: 2, riskBudget: 0.06 }, [2, 3]],
    ['the budget, oldest first', { maxDrops: 3, riskBudget: 0.02 }, [2, 3]],
    ['the budget, by need', { order, maxDrops: 3, riskBudget: 0.02 }, [2, 3]],
    ['both at once', { order, maxDrops: 3, riskBudget: 0.04 }, [2, 3, 1]],
  ] as const)('keeps cap and budget together: %s binds first', (_, policy, dropped) => {
    expect(chosen(flagged(0.03, 0.02, 0, 0.01, 0.2), policy)).toEqual({ dropped, capHit: true })
  })

  it.each([
    [1, [0]],
    [100, [0]],
    [101, [0, 1]],
    [301, [0, 1, 2]],
  ])('stops once %d tokens are saved', (tokensNeeded, dropped) => {
    expect(chosen(flagged(0.1, 0.1, 0.1), { tokensNeeded })).toEqual({ dropped, capHit: false })
  })

  it('hits no cap where it stops for having saved enough', () => {
    const enough = { tokensNeeded: 100, maxDrops: 1, riskBudget: 0.1 }
    expect(chosen(flagged(0.1, 0.1), enough)).toEqual({ dropped: [0], capHit: false })
    expect(chosen(flagged(0.1, 0.1), { ...enough, tokensNeeded: 101 }).capHit).toBe(true)
  })

  it('puts back what the target does not need once a larger one is gone, the last taken first', () => {
    const sizes = [10, 30, 500, 20].map((dropSavings, entry) => unit(entry, 0, { dropSavings }))
    expect(chosen(sizes, { tokensNeeded: 510 }).dropped).toEqual([0, 2])
    expect(chosen(sizes, { tokensNeeded: 530 }).dropped).toEqual([1, 2])
    expect(chosen(sizes).dropped).toEqual([0, 1, 2, 3])
  })

  it('takes nothing that saves nothing, and spends no cap on it', () => {
    const judged = [unit(0, 0, { dropSavings: 0 }), unit(1, 0)]
    expect(chosen(judged, { maxDrops: 1 })).toEqual({ dropped: [1], capHit: false })
  })

  it('counts a question with its answer as two, and stops where both no longer fit', () => {
    const pair = unit(0, 0.1, { entries: [0, 1], questions: 2, risk: 0.15 })
    const judged = [pair, unit(2, 0.1), unit(3, 0.2)]
    expect(chosen(judged, { maxDrops: 3 })).toEqual({ dropped: [0, 2], capHit: true })
    expect(chosen(judged, { maxDrops: 1, order })).toEqual({ dropped: [], capHit: true })
    expect(chosen(judged, { riskBudget: 0.2, order })).toEqual({ dropped: [0], capHit: true })
  })

  it('leaves the order of what it was given alone', () => {
    const judged = flagged(0.2, 0.1)
    chosen(judged, { order })
    expect(judged.map(({ verdict }) => verdict.probability)).toEqual([0.2, 0.1])
  })
})
