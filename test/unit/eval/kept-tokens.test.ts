import { describe, expect, test } from 'vitest'
import { keptTokens } from '../../../eval/measurements/measures/kept-tokens.ts'
import { judged } from './cases.ts'

describe('keptTokens', () => {
  test('keeps the best scores up to the share of the tokens', () => {
    // Four turns of 10 tokens each: half of them is two.
    const one = judged([
      { score: 0.1, needed: true },
      { score: 0.9, needed: true },
      { score: 0.2 },
      { score: 0.8 },
    ])
    expect(keptTokens(one, 0.5)).toEqual({ needed: 0.5, complete: false })
    expect(keptTokens(one, 1)).toEqual({ needed: 1, complete: true })
    expect(keptTokens(one, 0)).toEqual({ needed: 0, complete: false })
  })

  test('keeps the recent window first, and counts it against the share', () => {
    const one = judged([{ score: 0.9, needed: true }, { score: 0.8 }, {}, {}])
    expect(keptTokens(one, 0.5).needed).toBe(0)
    expect(keptTokens(one, 0.75).needed).toBe(1)
  })

  test('counts a needed turn of the recent window as kept', () => {
    expect(keptTokens(judged([{ score: 0.9 }, { needed: true }]), 0.1).complete).toBe(true)
  })

  test('passes over a turn that does not fit and takes the next', () => {
    // 100, 10 and 10 tokens: of 60 the first does not fit.
    const one = judged([
      { score: 0.9, length: 384 },
      { score: 0.5, needed: true },
      { score: 0.4, needed: true },
    ])
    expect(keptTokens(one, 0.5)).toEqual({ needed: 1, complete: true })
  })

  test('gives a tie to the newest', () => {
    const one = judged([{ score: 0.5, needed: true }, { score: 0.5 }])
    expect(keptTokens(one, 0.5).needed).toBe(0)
  })

  test('keeps what was not answered before what was', () => {
    const one = judged([{ score: 'unanswered', needed: true }, { score: 0.99 }])
    expect(keptTokens(one, 0.5).needed).toBe(1)
  })
})
