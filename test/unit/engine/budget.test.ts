import { describe, expect, it } from 'vitest'
import { type BudgetInput, resolveBudget, type Sourced } from '../../../src/engine/budget.ts'
import { PrecisError } from '../../../src/engine/errors.ts'

const by = (value: number): Sourced => ({ value, source: 'request' })
const counted = (value: number): Sourced => ({ value, source: 'counted' })

function budgetOf(over: Partial<BudgetInput> = {}) {
  return resolveBudget({
    contextWindow: by(128_000),
    maxOutputTokens: by(28_000),
    threshold: { value: 0.8, source: 'default' },
    instructions: 1_000,
    currentRequest: 200,
    tools: 3_000,
    files: by(800),
    history: 50_000,
    ...over,
  })
}

describe('resolveBudget', () => {
  it('says that counts are estimates where they are', () => {
    const budget = budgetOf({ counting: 'estimated' })
    const { instructions, currentRequest, tools } = budget.overhead
    for (const number of [instructions, currentRequest, tools, budget.history]) {
      expect(number.source).toBe('estimated')
    }
    expect(budget.overhead.files).toEqual(by(800))
    expect(budget.available.source).toBe('computed')
  })

  it('computes every number of the arithmetic from the ones before it', () => {
    const budget = budgetOf()
    expect(budget.available.value).toBe(100_000)
    expect(budget.overhead).toEqual({
      instructions: counted(1_000),
      currentRequest: counted(200),
      tools: counted(3_000),
      files: by(800),
      total: { value: 5_000, source: 'computed' },
    })
    expect(budget.safetyFactor).toEqual({ value: 0.95, source: 'default' })
    expect(budget.historyBudget.value).toBe(90_250)
    expect(budget.trigger.value).toBe(80_000)
    expect(budget.target.value).toBe(75_000)
    expect(budget.usageRatio).toBe(0.55)
    expect(budget.shouldCompact).toBe(false)
  })

  it('bounds the target by the history budget where that is the smaller one', () => {
    const budget = budgetOf({ instructions: 0, currentRequest: 0, tools: 0, files: by(0) })
    expect(budget.historyBudget.value).toBe(95_000)
    expect(budget.target.value).toBe(80_000)
    const small = budgetOf({
      contextWindow: by(28_100),
      threshold: { value: 0.8, source: 'default' },
    })
    expect(small.historyBudget.value).toBe(0)
    expect(small.target.value).toBe(0)
  })

  it.each([
    [0.8, 95_000],
    [0.4, 47_500],
    [0.2, 23_750],
    [5, 95_000],
    [-1, 0],
  ])('scales the history budget by threshold / 0.8 (%d)', (threshold, expected) => {
    const budget = budgetOf({
      threshold: { value: threshold, source: 'request' },
      instructions: 0,
      currentRequest: 0,
      tools: 0,
      files: by(0),
    })
    expect(budget.historyBudget.value).toBe(expected)
  })

  it('rounds the history budget down to the token, with one product of factor and scale', () => {
    const budget = budgetOf({ contextWindow: by(28_000 + 83_201 + 5_000) })
    expect(budget.historyBudget.value).toBe(Math.floor(83_201 * 0.95))
  })

  it('never triggers above the default threshold, whatever it is handed', () => {
    expect(budgetOf({ threshold: { value: 0.99, source: 'request' } }).trigger.value).toBe(80_000)
  })

  it.each([
    [74_999, false],
    [75_000, false],
    [75_001, true],
  ])('is due strictly above the target: a history of %d', (history, expected) => {
    expect(budgetOf({ history }).shouldCompact).toBe(expected)
  })

  it('leaves no band in which compaction is due at a size that it would accept', () => {
    for (const threshold of [0.1, 0.45, 0.6, 0.75, 0.8]) {
      for (const overhead of [0, 5_000, 40_000]) {
        const spec = {
          threshold: { value: threshold, source: 'request' as const },
          instructions: overhead,
          currentRequest: 0,
          tools: 0,
          files: by(0),
        }
        const { target, trigger } = budgetOf(spec)
        expect(target.value + overhead).toBeLessThanOrEqual(Math.max(trigger.value, overhead))
      }
    }
  })

  it('never gives a negative target when the overhead is above the window', () => {
    const budget = budgetOf({ tools: 400_000 })
    expect(budget.historyBudget.value).toBe(0)
    expect(budget.target.value).toBe(0)
    expect(budget.shouldCompact).toBe(true)
  })

  it.each([
    [10_000, 3_500],
    [10_001, 3_501],
    [128_000, 44_800],
    [200_000, 64_000],
    [1_000_000, 64_000],
  ])('reserves 35% of a window of %d for the output, at most 64,000', (window, reserve) => {
    const { outputReserve } = budgetOf({ contextWindow: by(window), maxOutputTokens: undefined })
    expect(outputReserve).toEqual({ value: reserve, source: 'default' })
  })

  it('names where every number came from', () => {
    const budget = budgetOf()
    expect(budget.contextWindow.source).toBe('request')
    expect(budget.outputReserve.source).toBe('request')
    expect(budget.history.source).toBe('counted')
    expect(budget.compactionThreshold.source).toBe('default')
    for (const number of [budget.available, budget.historyBudget, budget.trigger, budget.target]) {
      expect(number.source).toBe('computed')
    }
  })

  it.each([28_000, 27_999])('refuses a window of %d with an output reserve of 28,000', (window) => {
    const refuse = () => budgetOf({ contextWindow: by(window) })
    expect(refuse).toThrow(PrecisError)
    expect(refuse).toThrow(
      expect.objectContaining({
        code: 'invalid-budget',
        faults: [expect.objectContaining({ pointer: '/maxOutputTokens' })],
      }),
    )
  })

  it.each(['configuration', 'default'] as const)(
    'points at the window where the reserve that is too large is by %s',
    (source) => {
      const maxOutputTokens = source === 'default' ? undefined : { value: 4_000, source }
      const contextWindow = by(source === 'default' ? 1 : 4_000)
      expect(() => budgetOf({ contextWindow, maxOutputTokens })).toThrow(
        expect.objectContaining({
          code: 'invalid-budget',
          faults: [
            expect.objectContaining({
              pointer: '/contextWindow',
              rule: 'more-than-output-reserve',
            }),
          ],
        }),
      )
    },
  )
})
