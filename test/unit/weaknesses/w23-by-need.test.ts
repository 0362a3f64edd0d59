/** W23: theirs drops by age and never by need, always up to the cap, and asks about 300 at most. */
import { describe, expect, it } from 'vitest'
import { createEmbeddedDecider } from '../../../src/decide/embedded/embedded-decider.ts'
import {
  askedMessages,
  chat,
  compactWith,
  conversation,
  goneIds,
  judge,
  only,
  sizeOf,
  user,
} from '../seeds/support.ts'

const MESSAGES = conversation(user('The task.'), ...chat(10))
const SIZE = await sizeOf(MESSAGES)
const SCORES = { 1: 0.19, 2: 0.18, 3: 0.01, 4: 0.02 }

describe('W23: which of the flagged go', () => {
  const run = (relevance: object, traits = {}, targetTokens = SIZE - 1) =>
    compactWith(
      { messages: MESSAGES, targetTokens, options: { ...only('relevance'), relevance } },
      { decide: judge(1, SCORES, traits) },
    )

  it('are the least needed, where the caller says so: 0.01 goes before an older 0.19', async () => {
    const result = await run({ order: 'least-needed-first' })
    expect(goneIds(MESSAGES, result)).toEqual(['m3', 'm4'])
    expect(result.report.relevance).toMatchObject({ capHit: true, dropped: 2 })
  })

  it('are the least needed by default for a model whose ranking is worth it', async () => {
    const result = await run({}, { order: 'least-needed-first' })
    expect(goneIds(MESSAGES, result)).toEqual(['m3', 'm4'])
  })

  it('are no more than the expected loss allows', async () => {
    const options = { order: 'least-needed-first', maxDropRatio: 1 }
    const result = await run({ ...options, riskBudget: 0.05 })
    expect(goneIds(MESSAGES, result)).toEqual(['m3', 'm4'])
    expect(result.report.relevance?.expectedNeededLost).toBeCloseTo(0.03)
    const tighter = await run({ ...options, riskBudget: 0.02 })
    expect(goneIds(MESSAGES, tighter)).toEqual(['m3'])
  })

  it('are no more than the target needs, where the caller says so', async () => {
    const options = { order: 'least-needed-first', maxDropRatio: 1, stopAtTarget: true }
    expect(goneIds(MESSAGES, await run(options))).toEqual(['m3'])
    expect(goneIds(MESSAGES, await run(options, {}, SIZE - 100))).toEqual(['m3', 'm4'])
    const byAge = { maxDropRatio: 1, stopAtTarget: true }
    expect(goneIds(MESSAGES, await run(byAge))).toEqual(['m1'])
  })
})

describe('W23: who is asked about', () => {
  it('is every eligible message, by a model that takes them all', async () => {
    const messages = conversation(user('The task.'), ...chat(700, 6))
    const targetTokens = (await sizeOf(messages)) - 1
    const decide = judge(0.9, {}, { maxQuestions: Number.POSITIVE_INFINITY })
    await compactWith({ messages, targetTokens }, { decide })
    expect(askedMessages(decide)).toHaveLength(694)
    const result = await compactWith(
      { messages, targetTokens },
      { decide: createEmbeddedDecider() },
    )
    expect(result.report.relevance).toMatchObject({ asked: 694, notAsked: 0 })
  })
})
