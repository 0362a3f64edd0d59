/** W7: theirs triggers at a size that its own target then accepts: between the two it runs and does nothing. */
import { describe, expect, it } from 'vitest'
import { budgetConversation } from '../../../src/conversation/budget-conversation.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  chat,
  compactWith,
  conversation,
  judge,
  modelSignal,
  prose,
  servicesWith,
} from '../seeds/support.ts'

/** 83,200 available tokens in all, as in the peer's arithmetic, at a tenth of the size. */
const LIMITS = { contextWindow: 12_800, maxOutputTokens: 4_480 }

/** Messages of about 64 tokens each, up to that share of the available tokens. */
const ofUsage = (share: number): JsonObject[] =>
  conversation(...chat(Math.round((8_320 * share) / 64)))

const TOOLS = Array.from({ length: 30 }, (_, index) => ({
  name: `tool${index}`,
  description: prose(30, `tool${index}`),
}))

describe('W7: a conversation that is due for compaction', () => {
  it.each([
    [0.8, 0.82],
    [0.8, 0.91],
    [0.8, 0.99],
    [0.45, 0.46],
    [0.45, 0.5],
    [0.45, 0.53],
    [0.6, 0.66],
    [0.75, 0.8],
  ])(
    'at a threshold of %d and a usage of %d is compacted under its trigger',
    async (compactionThreshold, usage) => {
      const messages = ofUsage(usage)
      const request = { format: 'neurolink', messages, ...LIMITS, compactionThreshold } as const
      const budget = await budgetConversation(request, servicesWith(), modelSignal)
      expect(budget.usageRatio).toBeGreaterThan(compactionThreshold)
      expect(budget.shouldCompact).toBe(true)
      const { report } = await compactWith(request)
      expect(report).toMatchObject({ outcome: 'compacted', fits: true })
      expect(report.tokensAfter).toBeLessThanOrEqual(budget.trigger.value)
      const after = await budgetConversation(
        { ...request, messages: (await compactWith(request)).messages },
        servicesWith(),
        modelSignal,
      )
      expect(after.shouldCompact).toBe(false)
    },
  )

  it('is compacted too where its tools make it 4% too large for the window', async () => {
    const messages = conversation(...chat(120))
    const request = { messages, tools: TOOLS, ...LIMITS }
    const before = await budgetConversation(
      { format: 'neurolink', ...request },
      servicesWith(),
      modelSignal,
    )
    expect(before.usageRatio).toBeGreaterThan(1)
    const { report } = await compactWith(request)
    expect(report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(report.tokensAfter).toBeLessThan(before.available.value)
  })

  it('is judged by relevance in that band as well', async () => {
    const decide = judge(0.01)
    const { report } = await compactWith({ messages: ofUsage(0.91), ...LIMITS }, { decide })
    expect(report.stagesUsed).toContain('relevance')
  })
})

describe('W7: a conversation that is not due', () => {
  it('is returned as it came', async () => {
    const messages = ofUsage(0.7)
    const { report, messages: returned } = await compactWith({ messages, ...LIMITS })
    expect(report.outcome).toBe('unchanged')
    expect(returned).toBe(messages)
  })
})
