import { describe, expect, test } from 'vitest'
import { areaUnderCurve } from '../../../eval/measurements/measures/area-under-curve.ts'
import { judged } from './cases.ts'

describe('areaUnderCurve', () => {
  test('is the share of pairs in which the needed turn stands higher', () => {
    const one = judged([
      { score: 0.9 },
      { score: 0.8, needed: true },
      { score: 0.3 },
      { score: 0.2, needed: true },
      { score: 0.1 },
    ])
    // Of six pairs: 0.8 beats two of three, 0.2 beats one of three.
    expect(areaUnderCurve(one)).toBeCloseTo(0.5)
  })

  test('counts a tie as half', () => {
    expect(areaUnderCurve(judged([{ score: 0.5 }, { score: 0.5, needed: true }]))).toBe(0.5)
    expect(
      areaUnderCurve(judged([{ score: 0.5 }, { score: 0.5, needed: true }, { score: 0.1 }])),
    ).toBe(0.75)
  })

  test('is undefined without a pair', () => {
    expect(areaUnderCurve(judged([{ score: 0.5 }]))).toBeUndefined()
    expect(areaUnderCurve(judged([{ score: 0.5, needed: true }]))).toBeUndefined()
    expect(
      areaUnderCurve(judged([{ score: 'unanswered', needed: true }, { score: 0.1 }])),
    ).toBeUndefined()
  })
})
