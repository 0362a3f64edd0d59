import { describe, expect, it } from 'vitest'
import { documentId } from '../../../../src/engine/questions/relevance.ts'
import { choose, type Judged, type Policy } from '../../../../src/engine/stages/relevance-policy.ts'

/** Flagged messages with these probabilities, in the order of the conversation, 100 tokens each. */
function flagged(...probabilities: readonly number[]): Judged[] {
  return probabilities.map((probability, entry) => ({
    candidate: {
      entries: [entry],
      document: { id: documentId(entry), role: 'user', text: 'x' },
    },
    verdict: { probability, confidence: Math.abs(probability - 0.5) * 2 },
    savings: 100,
  }))
}

function chosen(judged: readonly Judged[], over: Partial<Policy> = {}) {
  const { dropped, capHit } = choose(judged, {
    order: 'oldest-first',
    maxDrops: 99,
    riskBudget: undefined,
    tokensNeeded: undefined,
    ...over,
  })
  return { dropped: dropped.map(({ candidate }) => candidate.entries[0]), capHit }
}

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
    const order = 'least-needed-first'
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
    const order = 'least-needed-first'
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

  it('takes nothing but the certain under a risk budget of 0', () => {
    const order = 'least-needed-first'
    expect(chosen(flagged(0.01, 0), { order, riskBudget: 0 })).toEqual({
      dropped: [1],
      capHit: true,
    })
  })

  it('knows no risk budget of null', () => {
    expect(chosen(flagged(0.2, 0.2, 0.2), { riskBudget: null })).toEqual({
      dropped: [0, 1, 2],
      capHit: false,
    })
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
    expect(chosen(flagged(0.1, 0.1), { tokensNeeded: 100, maxDrops: 1 })).toEqual({
      dropped: [0],
      capHit: false,
    })
  })

  it('leaves the order of what it was given alone', () => {
    const judged = flagged(0.2, 0.1)
    chosen(judged, { order: 'least-needed-first' })
    expect(judged.map(({ verdict }) => verdict.probability)).toEqual([0.2, 0.1])
  })
})
