import { describe, expect, test } from 'vitest'
import { withVotes } from '../../../src/decide/votes.ts'
import type { DecideRequest, Votes } from '../../../src/engine/ports.ts'
import { relevanceRequest } from '../../helpers/decide-servers/relevance-request.ts'
import { createFakeDecider } from '../../helpers/fake-decider.ts'

const BAR = 0.2
const ask = (votes: Votes | undefined, extra: Partial<DecideRequest> = {}): DecideRequest => ({
  ...relevanceRequest(['a', 'b', 'c']),
  ...(votes !== undefined && { votes }),
  ...extra,
})
const probability = (answers: ReadonlyMap<string, unknown>, id: string) =>
  (answers.get(id) as { probability: number } | undefined)?.probability
/** m0 is near the bar, m1 is surely not needed, m2 surely is. */
const SPREAD: Readonly<Record<string, readonly number[]>> = {
  m0: [0.28, 0.14, 0.12, 0.1, 0.11],
  m1: [0.02, 0.9],
  m2: [0.95, 0.01],
}
const noisy = (id: string, call: number) => SPREAD[id]?.[call]

describe('votes', () => {
  test.each([undefined, { count: 1, bar: BAR }])('are not asked for with %j', async (votes) => {
    const model = createFakeDecider('systemone', { answer: noisy })
    const result = await withVotes(model).decide(ask(votes))
    expect(model.requests).toHaveLength(1)
    expect(result).not.toHaveProperty('voted')
  })

  test('are asked for about what is near the bar only, and the mean decides', async () => {
    const model = createFakeDecider('systemone', { answer: noisy })
    const result = await withVotes(model).decide(ask({ count: 3, bar: BAR }))
    expect(model.requests.map(({ questions }) => questions.map(({ id }) => id))).toEqual([
      ['m0', 'm1', 'm2'],
      ['m0'],
      ['m0'],
    ])
    expect(probability(result.answers, 'm0')).toBeCloseTo((0.28 + 0.14 + 0.12) / 3, 12)
    expect(probability(result.answers, 'm1')).toBe(0.02)
    expect(probability(result.answers, 'm2')).toBe(0.95)
    expect(result).toMatchObject({ requests: 3, voted: 1 })
    expect([...result.answers.keys()]).toEqual(['m0', 'm1', 'm2'])
  })

  test.each([
    [0.35, true],
    [0.36, false],
    [0.05, true],
    [0.04, false],
  ])('count %s as near a bar of 0.2: %s', async (first, isNear) => {
    const model = createFakeDecider('systemone', { answer: () => first })
    await withVotes(model).decide(ask({ count: 2, bar: BAR }))
    expect(model.requests).toHaveLength(isNear ? 2 : 1)
  })

  test('that fail leave the mean of those that came', async () => {
    const calls = [0.3, 0.1]
    const model = createFakeDecider('systemone', {
      answer: (id, call) => (id === 'm0' ? calls[call] : 0.9),
      before: (_, call) => {
        if (call === 2) throw new Error('down')
      },
    })
    const result = await withVotes(model).decide(ask({ count: 5, bar: BAR }))
    expect(model.requests).toHaveLength(3)
    expect(probability(result.answers, 'm0')).toBeCloseTo(0.2, 12)
    expect(result).not.toHaveProperty('failure')
    expect(result).toMatchObject({ voted: 1, requests: 2 })
  })

  test('do not hide that the first call failed in part', async () => {
    const model = createFakeDecider('systemone', { answer: noisy, failure: 'timeout' })
    const result = await withVotes(model).decide(ask({ count: 2, bar: BAR }))
    expect(result.failure).toBe('timeout')
  })

  test('are left out when there is no time for another call as long as the first', async () => {
    let time = 0
    const model = createFakeDecider('systemone', {
      answer: noisy,
      before: () => {
        time += 400
      },
    })
    const call = { count: 5, bar: BAR }
    const result = await withVotes(model, () => time).decide(ask(call, { deadlineAt: 1_000 }))
    expect(model.requests).toHaveLength(2)
    expect(result).toMatchObject({ voted: 1, latencyMs: 800 })
  })

  test('are left out once the caller has gone', async () => {
    const controller = new AbortController()
    const model = createFakeDecider('systemone', {
      answer: noisy,
      before: () => controller.abort(),
    })
    const signal = controller.signal
    await withVotes(model).decide(ask({ count: 3, bar: BAR }, { signal }))
    expect(model.requests).toHaveLength(1)
  })
})
