import { describe, expect, test } from 'vitest'
import { createLearnedLimits } from '../../../src/decide/learned-limits.ts'
import type { RequestSize } from '../../../src/decide/limits.ts'
import { SYSTEM_ONE_LIMITS } from '../../../src/decide/wires/systemone.ts'

const MINUTE = 60_000
const base = {
  ...SYSTEM_ONE_LIMITS,
  maxStateAndLongestQuestionTokens: 32_000,
  maxTotalTokens: 64_000,
}
const size = (tokens: number, questions = 20): RequestSize => ({
  stateAndLongestQuestion: tokens,
  total: tokens,
  questions,
})

function create() {
  let time = 0
  const learned = createLearnedLimits(base, () => time)
  return {
    learned,
    wait: (ms: number) => {
      time += ms
    },
    sizes: () => {
      const { maxStateAndLongestQuestionTokens: state, maxTotalTokens: total } = learned.current()
      return [state, total]
    },
  }
}

describe('learned limits', () => {
  test('are those of the wire until a server refuses something', () => {
    const { learned } = create()
    learned.accepted(size(10_000))
    expect(learned.current()).toEqual(base)
    expect(learned.isLowered()).toBe(false)
  })

  test('fall once for requests that were refused together', () => {
    const { learned, sizes } = create()
    const seen = learned.refusals()
    learned.refused(size(20_000), seen)
    for (let others = 0; others < 7; others += 1) {
      expect(learned.refused(size(20_000), seen)).toMatchObject({ maxTotalTokens: 10_000 })
    }
    expect(sizes()).toEqual([10_000, 10_000])
  })

  test('fall again for a smaller one of them that is within what is allowed by now', () => {
    const { learned, sizes } = create()
    const seen = learned.refusals()
    learned.refused(size(20_000), seen)
    learned.refused(size(8_000), seen)
    expect(sizes()).toEqual([4_000, 4_000])
  })

  test('fall to half of what was refused, and stay for the calls that follow', () => {
    const { learned, sizes } = create()
    const again = learned.refused({
      stateAndLongestQuestion: 20_000,
      total: 30_000,
      questions: 20,
    })
    expect(again).toMatchObject({
      maxStateAndLongestQuestionTokens: 10_000,
      maxTotalTokens: 15_000,
    })
    expect(sizes()).toEqual([10_000, 15_000])
    expect(learned.isLowered()).toBe(true)
  })

  test('fall to half of what is allowed, where the count said more', () => {
    const { learned, sizes } = create()
    learned.refused(size(500_000))
    expect(sizes()).toEqual([16_000, 32_000])
  })

  test('do not fall below a size that was taken, only below what was refused', () => {
    const { learned, sizes } = create()
    learned.refused(size(20_000))
    learned.accepted(size(9_900))
    learned.refused(size(10_000))
    expect(sizes()).toEqual([9_000, 9_000])
    learned.accepted(size(8_000))
    learned.refused(size(9_000))
    // What was taken before was as large as this: it proves nothing any more.
    expect(sizes()).toEqual([4_500, 4_500])
  })

  test('fall in questions too, where a request held many: some servers count nothing else', () => {
    const { learned } = create()
    expect(learned.refused(size(1_000, 64)).maxQuestionsPerRequest).toBe(32)
    expect(learned.refused(size(900, 32)).maxQuestionsPerRequest).toBe(16)
    expect(learned.refused(size(800, 16)).maxQuestionsPerRequest).toBe(16)
  })

  test('leave the number of questions alone where the refused request held few', () => {
    const { learned } = create()
    expect(learned.refused(size(20_000, 2))).toMatchObject({
      maxQuestionsPerRequest: base.maxQuestionsPerRequest,
      maxTotalTokens: 10_000,
    })
  })

  test('never rise above what the wire takes', () => {
    const single = { ...base, maxQuestionsPerRequest: 1 }
    const learned = createLearnedLimits(single, () => 0)
    expect(learned.refused(size(20_000, 1)).maxQuestionsPerRequest).toBe(1)
  })

  test('recover slowly, to the whole and no further', () => {
    const { learned, sizes, wait } = create()
    learned.refused(size(20_000))
    wait(MINUTE)
    expect(sizes()[0]).toBeGreaterThan(10_000)
    expect(sizes()[0]).toBeLessThan(11_000)
    wait(9 * MINUTE)
    expect(sizes()).toEqual([20_000, 20_000])
    wait(60 * MINUTE)
    expect(learned.current()).toEqual(base)
    expect(learned.isLowered()).toBe(false)
  })

  test('remember no less than 2,000 tokens, although one request may be tried smaller', () => {
    const { learned, sizes } = create()
    expect(learned.refused(size(400))).toMatchObject({ maxTotalTokens: 200 })
    expect(sizes()).toEqual([2_000, 2_000])
  })
})
