import { describe, expect, test } from 'vitest'
import { estimateMean, estimateRatio, quantile } from '../../../eval/lib/estimate.ts'
import { createRandom } from '../../../eval/lib/random.ts'

describe('estimateMean', () => {
  test('is the mean, with an interval about as wide as theory has it', () => {
    // A share of 0.3 of 400: the standard error is 0.0229, so 95% is 0.255 to 0.345.
    const values = Array.from({ length: 400 }, (_, index) => (index % 10 < 3 ? 1 : 0))
    const { value, low, high, units } = estimateMean(values)
    expect(value).toBeCloseTo(0.3)
    expect(Math.abs(low - 0.255)).toBeLessThan(0.01)
    expect(Math.abs(high - 0.345)).toBeLessThan(0.01)
    expect(units).toBe(400)
  })

  test('has no width where all are alike', () => {
    expect(estimateMean([1, 1, 1])).toEqual({ value: 1, low: 1, high: 1, units: 3 })
  })

  test('gives the same interval every time', () => {
    const values = [0, 1, 0, 0, 1]
    expect(estimateMean(values)).toEqual(estimateMean(values))
  })
})

describe('estimateRatio', () => {
  test('weighs units by their size', () => {
    const { value } = estimateRatio([
      { part: 9, whole: 10 },
      { part: 0, whole: 90 },
    ])
    expect(value).toBeCloseTo(0.09)
  })

  test('is wider where the same trials come in fewer, more uniform units', () => {
    const alone = Array.from({ length: 100 }, (_, index) => ({ part: index % 2, whole: 1 }))
    const lumps = Array.from({ length: 10 }, (_, index) => ({ part: 10 * (index % 2), whole: 10 }))
    const width = ({ low, high }: { low: number; high: number }) => high - low
    expect(width(estimateRatio(lumps))).toBeGreaterThan(2 * width(estimateRatio(alone)))
  })

  test('is not a number without anything to count', () => {
    expect(estimateRatio([]).value).toBeNaN()
    expect(estimateRatio([{ part: 0, whole: 0 }]).value).toBeNaN()
  })
})

describe('quantile', () => {
  test('takes the nearest rank', () => {
    const ascending = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(quantile(ascending, 0.025)).toBe(1)
    expect(quantile(ascending, 0.5)).toBe(5)
    expect(quantile(ascending, 0.975)).toBe(10)
  })
})

describe('createRandom', () => {
  test('shuffles without losing or repeating anything', () => {
    const shuffled = createRandom(3).shuffle([1, 2, 3, 4, 5, 6, 7, 8])
    expect(shuffled).not.toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect([...shuffled].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
