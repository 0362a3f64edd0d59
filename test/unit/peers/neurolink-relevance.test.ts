/** What NeuroLink's tests assert of stage 0, of the gate and of the reading of yes and no. */
import { describe, expect, it } from 'vitest'
import { createEmbeddedDecider } from '../../../src/decide/embedded/embedded-decider.ts'
import {
  isConfidentNo,
  isConfidentYes,
  readBoolean,
} from '../../../src/engine/questions/verdict.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  goneIds,
  idsOf,
  judge,
  only,
  prose,
  sizeOf,
  user,
} from '../seeds/support.ts'

/** A decision about retries of payments, chatter, and six recent messages: twelve in all. */
const MESSAGES = conversation(
  user('We need to make the payments service more robust.'),
  assistant(`Here is how it works today. ${prose(60, 'overview')}`),
  user('Decision: payment retries back off exponentially, 5 attempts at most, from 200 ms on.'),
  assistant(`Did you see the match last night? ${prose(60, 'football')}`),
  user(`What a game that was! ${prose(60, 'goals')}`),
  assistant(`And the weather was lovely as well. ${prose(60, 'weather')}`),
  ...chat(5, 10),
  user('Write the payment retry with the backoff that we decided.'),
)
const [DECISION, CHATTER] = ['m2', ['m3', 'm4', 'm5']] as const
const RECENT = idsOf(MESSAGES.slice(-6))

describe('NeuroLink asserts of stage 0', () => {
  it('that without a decide model nothing is dropped by it', async () => {
    const targetTokens = (await sizeOf(MESSAGES)) - 1
    const result = await compactWith({
      messages: MESSAGES,
      targetTokens,
      options: only('relevance'),
    })
    expect(result.messages).toBe(MESSAGES)
  })

  it('that for a blank request nothing is dropped by it, and nobody is asked', async () => {
    const decide = judge(0)
    const targetTokens = (await sizeOf(MESSAGES)) - 1
    const result = await compactWith(
      { messages: MESSAGES, targetTokens, currentRequest: '  ', options: only('relevance') },
      { decide },
    )
    expect(result.messages).toBe(MESSAGES)
    expect(decide.requests).toEqual([])
  })

  // Theirs runs against a live model; ours has one that ships with it.
  it('that a real model keeps the decision and lets chatter go', async () => {
    const targetTokens = (await sizeOf(MESSAGES)) - 150
    const result = await compactWith(
      { messages: MESSAGES, targetTokens },
      { decide: createEmbeddedDecider() },
    )
    const gone = goneIds(MESSAGES, result)
    expect(result.report.fits).toBe(true)
    expect(gone).not.toContain(DECISION)
    expect(gone.filter((id) => CHATTER.some((chatter) => chatter === id)).length).toBeGreaterThan(0)
    // Position alone would have taken the decision before the chatter.
    const byAge = await compactWith({ messages: MESSAGES, targetTokens })
    expect(goneIds(MESSAGES, byAge)).toContain(DECISION)
  })

  it('that the last six stay even at a bar of 0.01', async () => {
    const targetTokens = (await sizeOf(MESSAGES)) - 1
    const result = await compactWith(
      {
        messages: MESSAGES,
        targetTokens,
        options: { ...only('relevance'), relevance: { minDropConfidence: 0.01, maxDropRatio: 1 } },
      },
      { decide: judge(0.1) },
    )
    expect(goneIds(MESSAGES, result)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
    expect(idsOf(result.messages)).toEqual(['m0', ...RECENT])
  })

  it('that a bar of 0.001, a ratio of 0.25 and two recent messages drop a quarter at most', async () => {
    const targetTokens = (await sizeOf(MESSAGES)) - 1
    const relevance = { minDropConfidence: 0.001, maxDropRatio: 0.25 }
    const result = await compactWith(
      {
        messages: MESSAGES,
        targetTokens,
        options: { ...only('relevance'), protectRecent: 2, relevance },
      },
      { decide: judge(0.49) },
    )
    // Nine are eligible: all but the task, the newest two and the pinned request, which is one of them.
    expect(result.report.relevance).toMatchObject({ asked: 9, flagged: 9, dropped: 2 })
    expect(goneIds(MESSAGES, result)).toEqual(['m1', 'm2'])
  })
})

describe('NeuroLink asserts of reading a yes or no', () => {
  const verdict = (probability: number) => readBoolean({ kind: 'boolean', probability })
  const read = (probability: number, bar: number): string => {
    if (isConfidentYes(verdict(probability), bar)) return 'yes'
    return isConfidentNo(verdict(probability), bar) ? 'no' : 'unsure'
  }

  it('that yes, no, unsure, missing and wrong type are told apart', () => {
    expect([0.95, 0.05, 0.55].map((probability) => read(probability, 0.6))).toEqual([
      'yes',
      'no',
      'unsure',
    ])
    expect(readBoolean(undefined)).toBeUndefined()
    expect(readBoolean({ kind: 'score', score: 1, confidence: 1 })).toBeUndefined()
  })

  it('that raising the bar turns an answer into an abstention', () => {
    expect([0.6, 0.8, 0.81].map((bar) => read(0.1, bar))).toEqual(['no', 'no', 'unsure'])
  })

  it('that a coin flip has no confidence', () => {
    expect(verdict(0.5)).toEqual({ probability: 0.5, confidence: 0 })
    expect(read(0.5, 0)).toBe('unsure')
  })
})
