import { describe, expect, test } from 'vitest'
import { buildComposites } from '../../../eval/measurements/build-composites.ts'
import { byAgeWhereSilent, hasNoOpinion } from '../../../eval/measurements/composites.ts'
import { LEAST_NEEDED_HALF, safetyOf } from '../../../eval/measurements/safety-table.ts'
import { judged } from './cases.ts'

const dialogues = Array.from({ length: 60 }, (_, index) => ({
  history: ['first', 'second', 'last'].map((part) => ({
    user: `${part} question ${index}`,
    bot: `${part} answer ${index}`,
  })),
}))

describe('buildComposites', () => {
  test('needs the earlier turns of the dialogue that the request ends, and no others', () => {
    const cases = buildComposites(dialogues, 'return', 2, 1)
    expect(cases).toHaveLength(120)
    for (const { request, turns } of cases) {
      const own = request.replace('last question ', '')
      expect(turns.filter(({ needed }) => needed).map(({ text }) => text)).toEqual([
        `first question ${own}`,
        `first answer ${own}`,
        `second question ${own}`,
        `second answer ${own}`,
      ])
      expect(turns.map(({ text }) => text)).not.toContain(request)
    }
  })

  test('puts the dialogue last in a stay, and before others in a return', () => {
    for (const { turns } of buildComposites(dialogues, 'stay', 1, 1)) {
      expect(turns.slice(-4).every(({ needed }) => needed)).toBe(true)
    }
    for (const { turns } of buildComposites(dialogues, 'return', 1, 1)) {
      expect(turns.at(-1)?.needed).toBe(false)
    }
  })

  test('hides it among 3 to 42 other dialogues, each once', () => {
    const sizes = buildComposites(dialogues, 'return', 3, 1).map(({ turns }) => {
      const others = turns.filter(({ needed }) => !needed).map(({ text }) => text)
      expect(new Set(others).size).toBe(others.length)
      return others.length / 6
    })
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(3)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(42)
    expect(new Set(sizes).size).toBeGreaterThan(10)
  })

  test('leaves out a dialogue without an earlier turn', () => {
    const short = { history: [{ user: 'only', bot: 'one' }] }
    const cases = buildComposites([short, ...dialogues], 'stay', 1, 1)
    expect(cases.map(({ request }) => request)).not.toContain('only')
  })

  test('builds the same from the same seed, and other ones from another', () => {
    const once = buildComposites(dialogues, 'return', 1, 1)
    expect(buildComposites(dialogues, 'return', 1, 1)).toEqual(once)
    expect(buildComposites(dialogues, 'return', 1, 2)).not.toEqual(once)
  })
})

describe('hasNoOpinion', () => {
  test('holds where every turn is a coin or was not answered', () => {
    expect(hasNoOpinion(judged([{ score: 0.5 }, { score: 'unanswered' }, {}]))).toBe(true)
    expect(hasNoOpinion(judged([{ score: 0.5 }, { score: 0.49 }]))).toBe(false)
  })
})

describe('byAgeWhereSilent', () => {
  const recent = Array.from({ length: 6 }, () => ({}))

  test('has the oldest go first where there is no opinion, so that half goes of every request', () => {
    const silent = judged([
      { score: 'unanswered', needed: true },
      { score: 'unanswered' },
      ...recent,
    ])
    expect(safetyOf([silent], LEAST_NEEDED_HALF).dropped.value).toBe(0)
    const [aged] = byAgeWhereSilent([silent])
    expect(safetyOf(byAgeWhereSilent([silent]), LEAST_NEEDED_HALF)).toMatchObject({
      harmed: { value: 1 },
      dropped: { value: 0.5 },
    })
    expect(aged?.labelled).toBe(silent.labelled)
  })

  test('leaves answers as they are', () => {
    const answered = judged([{ score: 0.9, needed: true }, { score: 0.1 }, ...recent])
    expect(byAgeWhereSilent([answered])).toEqual([answered])
  })
})
