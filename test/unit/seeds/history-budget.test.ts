import { describe, expect, it } from 'vitest'
import { budgetConversation } from '../../../src/conversation/budget-conversation.ts'
import type { BudgetRequest } from '../../../src/conversation/request.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import { fakeDecide } from '../../helpers/fake-ports.ts'
import { createSeededRandom } from '../../helpers/seeded-random.ts'
import {
  chat,
  compactWith,
  conversation,
  modelSignal,
  prose,
  servicesWith,
  system,
  user,
} from './support.ts'

const MESSAGES = conversation(
  system(prose(50, 'rules')),
  ...chat(20),
  user('Summarize this one file.'),
)
const TOOLS = [{ type: 'tool', name: 'run', description: prose(60, 'tool') }]
const FILES = [prose(200, 'file'), { tokens: 123 }]

const budget = (request: BudgetRequest) =>
  budgetConversation(
    { format: 'neurolink', messages: MESSAGES, tools: TOOLS, files: FILES, ...request },
    servicesWith(),
    modelSignal,
  )

/** Windows and reserves of all sizes in which the overhead has room. */
const CASES = (() => {
  const random = createSeededRandom(1)
  return Array.from({ length: 200 }, () => {
    const contextWindow = 2_000 + random.below(1_000_000)
    return { contextWindow, maxOutputTokens: 1 + random.below(contextWindow - 1_500) }
  })
})()

describe('seed 1: the default threshold', () => {
  it('is 0.8', async () => {
    expect((await budget({})).compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  })

  it('reproduces the budget without thresholds to the token', async () => {
    for (const limits of CASES) {
      const { available, overhead, historyBudget } = await budget(limits)
      expect(available.value).toBe(limits.contextWindow - limits.maxOutputTokens)
      const before = Math.max(0, Math.floor((available.value - overhead.total.value) * 0.95))
      expect(historyBudget.value).toBe(before)
    }
  })

  it('gives the same when it is passed explicitly', async () => {
    for (const limits of CASES) {
      const [implicit, explicit] = await Promise.all([
        budget(limits),
        budget({ ...limits, compactionThreshold: 0.8 }),
      ])
      expect(explicit.historyBudget).toEqual(implicit.historyBudget)
      expect(explicit.target).toEqual(implicit.target)
      expect(explicit.trigger).toEqual(implicit.trigger)
    }
  })
})

describe('seed 1: a threshold of the request', () => {
  it.each([
    [0.4, 0.5],
    [0.6, 0.75],
    [0.45, 0.5625],
    [0.2, 0.25],
    [0.001, 0.00125],
  ])('of %d scales the history budget by %d', async (compactionThreshold, scale) => {
    for (const limits of CASES) {
      const whole = await budget(limits)
      const scaled = await budget({ ...limits, compactionThreshold })
      const exact = (whole.available.value - whole.overhead.total.value) * 0.95 * scale
      expect(Math.abs(scaled.historyBudget.value - exact)).toBeLessThan(1)
    }
  })

  it('is the one that compaction uses', async () => {
    const limits = { contextWindow: 6_000, maxOutputTokens: 2_000 }
    const long = conversation(...chat(80))
    const half = await compactWith({ messages: long, ...limits, compactionThreshold: 0.4 })
    const { arithmetic } = half.budget
    expect(arithmetic?.compactionThreshold).toEqual({ value: 0.4, source: 'request' })
    expect(half.report.fits).toBe(true)
    expect(half.report.tokensAfter).toBeLessThanOrEqual(half.report.target)
    const whole = await compactWith({ messages: long, ...limits })
    expect(whole.report.fits).toBe(true)
    expect(half.report.target).toBeLessThan(whole.report.target)
  })

  it('is optional, as every other input of the budget', async () => {
    const bare = await budgetConversation({}, servicesWith(), modelSignal)
    expect(bare.overhead.total.value).toBe(0)
    expect(bare.historyBudget.value).toBe(Math.floor(bare.available.value * 0.95))
    expect(bare.scope).toBeNull()
  })
})

describe('seed 1: what the history budget leaves room for', () => {
  it.each([
    ['the system prompt', { messages: MESSAGES.slice(1) }, 'instructions'],
    [
      'the current prompt',
      { messages: MESSAGES.slice(0, -1), currentRequest: '' },
      'currentRequest',
    ],
    ['tool definitions', { tools: [] }, 'tools'],
    ['file attachments', { files: [] }, 'files'],
  ] as const)('includes %s', async (_, without, member) => {
    const all = await budget({})
    const less = await budget(without as BudgetRequest)
    expect(all.overhead[member].value).toBeGreaterThan(less.overhead[member].value)
    const grown = all.overhead.total.value - less.overhead.total.value
    expect(grown).toBe(all.overhead[member].value - less.overhead[member].value)
    const expected = Math.floor((all.available.value - all.overhead.total.value) * 0.95)
    expect(all.historyBudget.value).toBe(expected)
    expect(less.historyBudget.value).toBeGreaterThan(all.historyBudget.value)
  })

  it.each([
    ['counted', 'gpt-4o', [prose(9, 'a'), { text: prose(9, 'b') }]],
    ['estimated', 'claude-sonnet-4-5', [prose(9, 'a'), { text: prose(9, 'b') }]],
    ['request', 'gpt-4o', [{ tokens: 100 }, { tokens: 23 }]],
    ['request', 'claude-sonnet-4-5', [{ tokens: 123 }]],
    ['computed', 'gpt-4o', [{ tokens: 100 }, prose(9, 'a')]],
    ['computed', 'claude-sonnet-4-5', [{ text: prose(9, 'b') }, { tokens: 23 }]],
    ['counted', 'gpt-4o', []],
  ] as const)(
    'says that files are %s, with the model %s, given %j',
    async (source, model, files) => {
      const { overhead } = await budget({ model, files })
      expect(overhead.files.source).toBe(source)
      if (source === 'request') expect(overhead.files.value).toBe(123)
      const counting = model === 'gpt-4o' ? 'counted' : 'estimated'
      for (const member of ['instructions', 'tools', 'currentRequest'] as const) {
        expect(overhead[member].source).toBe(counting)
      }
      expect(overhead.total.source).toBe('computed')
    },
  )

  it('reserves what the deployment says of a model, and only then 35% of the window', async () => {
    const windows = createWindowTable({
      overrides: {
        terse: { contextWindow: 50_000, maxOutputTokens: 1_000 },
        house: { contextWindow: 50_000 },
      },
    })
    const reserve = async (request: BudgetRequest) => {
      const services = { ...servicesWith(), windows }
      return (await budgetConversation(request, services, modelSignal)).outputReserve
    }
    const configured = { value: 1_000, source: 'configuration' }
    expect(await reserve({ model: 'terse' })).toEqual(configured)
    expect(await reserve({ model: 'terse', contextWindow: 20_000 })).toEqual(configured)
    expect(await reserve({ model: 'terse', maxOutputTokens: 7 })).toEqual({
      value: 7,
      source: 'request',
    })
    expect(await reserve({ model: 'house' })).toEqual({ value: 17_500, source: 'default' })
    expect(windows.lookup('gpt-4o').maxOutputTokens).toBe(16_384)
    expect(await reserve({ model: 'gpt-4o' })).toEqual({ value: 44_800, source: 'default' })
    expect(await reserve({ model: 'gpt-4' })).toMatchObject({ source: 'default' })
  })

  it('is never less than nothing', async () => {
    const crowded = await budget({ contextWindow: 1_000, maxOutputTokens: 900 })
    expect(crowded.overhead.total.value).toBeGreaterThan(crowded.available.value)
    expect(crowded.historyBudget.value).toBe(0)
    expect(crowded.target.value).toBe(0)
  })

  it('has the safety factor of 0.95 at every threshold, whatever the scope', async () => {
    const decide = fakeDecide({
      'context-scope': { scope: { kind: 'score', score: 0, confidence: 1 } },
    })
    const scoped = await budgetConversation(
      { format: 'neurolink', messages: MESSAGES },
      servicesWith({ decide }),
      modelSignal,
    )
    const { available, overhead, historyBudget } = scoped
    expect(scoped.compactionThreshold).toEqual({ value: 0.45, source: 'scope' })
    const exact = (available.value - overhead.total.value) * 0.95 * (0.45 / 0.8)
    expect(Math.abs(historyBudget.value - exact)).toBeLessThan(1)
  })
})
