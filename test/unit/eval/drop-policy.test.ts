import { describe, expect, test } from 'vitest'
import { applyPolicy } from '../../../eval/measurements/measures/drop-policy.ts'
import { judged } from './cases.ts'

const LEAST = 'least-needed-first'

describe('applyPolicy', () => {
  const one = judged([
    { score: 0.3, needed: true },
    { score: 0.01 },
    { score: 0.02, needed: true },
    { score: 0.1, length: 64 },
    {},
  ])

  test('drops at most the share of the judged turns, least needed first', () => {
    expect(applyPolicy(one, { maxRatio: 0.5, order: LEAST })).toEqual({
      judged: 4,
      dropped: 2,
      tokens: 60,
      droppedTokens: 20,
      expected: 0.03,
      lost: 1,
    })
  })

  test('rounds the share down', () => {
    expect(applyPolicy(one, { maxRatio: 0.49, order: LEAST }).dropped).toBe(1)
  })

  test('takes the oldest first where the order says so', () => {
    const { dropped, expected } = applyPolicy(one, { maxRatio: 0.5, order: 'oldest-first' })
    expect(dropped).toBe(2)
    expect(expected).toBeCloseTo(0.31)
  })

  test('spares what is likelier needed than the bar, and goes on behind it', () => {
    const policy = { maxProbability: 0.2, order: 'oldest-first' } as const
    expect(applyPolicy(one, policy)).toMatchObject({ dropped: 3, droppedTokens: 40 })
    expect(applyPolicy(one, { maxProbability: 0.02, order: LEAST }).dropped).toBe(2)
  })

  test('stops before the sum of P passes the risk budget', () => {
    expect(applyPolicy(one, { riskBudget: 0.03, order: LEAST }).dropped).toBe(2)
    expect(applyPolicy(one, { riskBudget: 0.029, order: LEAST }).dropped).toBe(1)
  })

  test('never drops what was not answered', () => {
    const silent = judged([{ score: 'unanswered', needed: true }, { score: 'unanswered' }])
    expect(applyPolicy(silent, { order: LEAST })).toMatchObject({ judged: 2, dropped: 0, lost: 0 })
  })

  test('takes the oldest of equals first', () => {
    const equals = judged([{ score: 0.5, needed: true }, { score: 0.5 }])
    expect(applyPolicy(equals, { maxRatio: 0.5, order: LEAST }).lost).toBe(1)
  })
})
