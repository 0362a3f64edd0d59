/** What NeuroLink's tests assert of its budget checker, history budget and model windows. */
import { describe, expect, it } from 'vitest'
import { budgetConversation } from '../../../src/conversation/budget-conversation.ts'
import type { BudgetRequest } from '../../../src/conversation/request.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import {
  chat,
  compactWith,
  conversation,
  modelSignal,
  prose,
  servicesWith,
  system,
  user,
} from '../seeds/support.ts'

const budget = (request: BudgetRequest) =>
  budgetConversation({ format: 'neurolink', ...request }, servicesWith(), modelSignal)

const TOOLS = Array.from({ length: 150 }, (_, index) => ({
  type: 'function',
  name: `tool_${index}`,
  description: prose(30, `tool${index}`),
}))

describe('NeuroLink asserts of its budget check', () => {
  it('that a small prompt is within the 136,000 tokens of claude-sonnet-4', async () => {
    const result = await budget({ model: 'claude-sonnet-4', messages: [user('Hello.')] })
    expect(result.available.value).toBe(136_000)
    expect(result.shouldCompact).toBe(false)
  })

  it('that 500 messages of 1 KB are due for compaction, at a ratio of 0.8 at least', async () => {
    const messages = conversation(
      ...Array.from({ length: 500 }, (_, index) => user(prose(300, `m${index}`).slice(0, 1_024))),
    )
    const result = await budget({ model: 'gpt-4o', messages })
    expect(result.usageRatio).toBeGreaterThanOrEqual(0.8)
    expect(result.shouldCompact).toBe(true)
  })

  it.each([
    [
      'the system prompt',
      { messages: conversation(system(prose(90, 's')), ...chat(3)) },
      'instructions',
    ],
    ['tool definitions', { tools: TOOLS }, 'tools'],
    ['files', { files: [prose(300, 'file')] }, 'files'],
  ] as const)('that %s raise their own part of the breakdown', async (_, more, member) => {
    const base = await budget({ messages: conversation(...chat(3)) })
    const raised = await budget({ messages: conversation(...chat(3)), ...more } as BudgetRequest)
    const { total: _total, ...parts } = raised.overhead
    for (const [name, { value }] of Object.entries(parts)) {
      const before = base.overhead[name as keyof typeof parts].value
      if (name === member) expect(value).toBeGreaterThan(before)
      else expect(value).toBe(before)
    }
    expect(raised.history).toEqual(base.history)
  })

  it('that the breakdown sums up to what is posted', async () => {
    const messages = conversation(system(prose(40, 'rules')), ...chat(9))
    const request = { messages, tools: TOOLS, files: [{ tokens: 77 }] }
    const { overhead, history } = await budget(request)
    const { instructions, currentRequest, tools, files, total } = overhead
    expect(total.value).toBe(instructions.value + currentRequest.value + tools.value + files.value)
    const { report } = await compactWith({ messages, tools: TOOLS, targetTokens: 1_000_000 })
    expect(total.value - files.value + history.value).toBe(report.tokensBefore)
  })

  it('that a threshold of 0.5 is reached earlier than the default', async () => {
    const messages = conversation(...chat(90))
    const limits = { messages, contextWindow: 10_000, maxOutputTokens: 1_000 }
    expect((await budget(limits)).shouldCompact).toBe(false)
    expect((await budget({ ...limits, compactionThreshold: 0.5 })).shouldCompact).toBe(true)
  })

  it('that nothing posted takes nothing', async () => {
    const result = await budget({ messages: [] })
    const nothing = { value: 0, source: 'counted' }
    expect(result.overhead).toEqual({
      instructions: nothing,
      currentRequest: nothing,
      tools: nothing,
      files: nothing,
      total: { value: 0, source: 'computed' },
    })
    expect(result.history.value).toBe(0)
    expect(result.usageRatio).toBe(0)
    expect(result.shouldCompact).toBe(false)
  })

  it('that an unknown model leaves 83,200 tokens, and it says that this is a guess', async () => {
    const result = await budget({ model: 'nobody-knows-me-1' })
    expect(result.available.value).toBe(83_200)
    expect(result.contextWindow.source).toBe('default')
    expect(result.warnings).toContainEqual(
      expect.objectContaining({ code: 'unknown-context-window' }),
    )
  })
})

describe('NeuroLink asserts of the history budget', () => {
  const messages = conversation(system(prose(40, 'rules')), ...chat(9))

  it('that it is under what is available beside the overhead, and shrinks with 150 tools', async () => {
    const without = await budget({ model: 'gpt-4o', messages })
    const withTools = await budget({ model: 'gpt-4o', messages, tools: TOOLS })
    for (const { available, overhead, historyBudget } of [without, withTools]) {
      expect(historyBudget.value).toBeLessThan(available.value)
      expect(historyBudget.value).toBeLessThanOrEqual(available.value - overhead.total.value)
    }
    expect(withTools.historyBudget.value).toBeLessThan(without.historyBudget.value)
  })

  it('that it is 0 and never less where the overhead is more than the window', async () => {
    const crowded = await budget({ contextWindow: 3_000, messages, tools: TOOLS })
    expect(crowded.overhead.total.value).toBeGreaterThan(3_000)
    expect(crowded.historyBudget.value).toBe(0)
    expect(crowded.target.value).toBe(0)
  })

  it('that 0.45 makes it smaller, and neither 0.99 nor 1 larger', async () => {
    const value = async (compactionThreshold?: number) => {
      const request = compactionThreshold === undefined ? {} : { compactionThreshold }
      return (await budget({ model: 'gpt-4o', messages, ...request })).historyBudget.value
    }
    expect(await value(0.8)).toBe(await value())
    expect(await value(0.45)).toBeLessThan(await value())
    expect(await value(0.99)).toBe(await value())
    expect(await value(1)).toBe(await value())
  })
})

describe('NeuroLink asserts of model windows', () => {
  const { lookup } = createWindowTable()

  it.each([
    ['claude-sonnet-4', 200_000],
    ['gpt-4o', 128_000],
    ['gpt-4', 8_192],
    ['gpt-3.5-turbo', 16_385],
    ['gpt-4.1', 1_047_576],
    ['o1', 200_000],
    ['gemini-2.5-flash', 1_048_576],
  ])('that %s has %i tokens', (model, contextWindow) => {
    expect(lookup(model).contextWindow).toBe(contextWindow)
  })

  it('that the output reserve is 35% of the window, at most 64,000, unless it is given', async () => {
    const reserve = async (request: BudgetRequest) => (await budget(request)).outputReserve
    expect(await reserve({ contextWindow: 10_000 })).toEqual({ value: 3_500, source: 'default' })
    expect(await reserve({ contextWindow: 1_000_001 })).toMatchObject({ value: 64_000 })
    expect(await reserve({ contextWindow: 10_001 })).toMatchObject({ value: 3_501 })
    const given = { contextWindow: 10_000, maxOutputTokens: 42 }
    expect(await reserve(given)).toEqual({ value: 42, source: 'request' })
  })

  // Names that NeuroLink answers wrongly: it takes the first known name that the model begins with.
  it.each([
    ['gpt-5.4-mini-2026-03-05', 400_000],
    ['gpt-5.2-chat-latest-x', 128_000],
    ['o1-mini-2024-09-12', 128_000],
    ['gemini-2.5-flash-image-preview', 32_768],
    ['gpt-4-1106-preview', 128_000],
    ['google/gemini-2.5-pro', 1_048_576],
    ['google-ai-studio/gemini-2.5-pro', 1_048_576],
  ])('and knows %s: %i, and not a longer relative', (model, contextWindow) => {
    expect(lookup(model).contextWindow).toBe(contextWindow)
  })

  it('and refuses an output reserve larger than the window', async () => {
    const request = { model: 'gpt-4', maxOutputTokens: 10_000 }
    await expect(budget(request)).rejects.toMatchObject({ code: 'invalid-budget' })
  })
})
