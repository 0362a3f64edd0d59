import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../src/engine/ports.ts'
import {
  isConfidentNo,
  isConfidentYes,
  readBoolean,
} from '../../../../src/engine/questions/verdict.ts'

const answered = (probability: number): Answer => ({ kind: 'boolean', probability })
const no = (probability: number, bar = 0.6) =>
  isConfidentNo(readBoolean(answered(probability)), bar)
const yes = (probability: number, bar = 0.6) =>
  isConfidentYes(readBoolean(answered(probability)), bar)

describe('readBoolean', () => {
  it.each([
    [0, 1],
    [0.25, 0.5],
    [0.5, 0],
    [0.75, 0.5],
    [1, 1],
  ])('reads %d with a confidence of %d', (probability, confidence) => {
    expect(readBoolean(answered(probability))).toEqual({ probability, confidence })
  })

  it.each([
    Number.NaN,
    -5,
    7,
    -1e-9,
    1.0000001,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ])('takes %d for no answer', (probability) => {
    expect(readBoolean(answered(probability))).toBeUndefined()
  })

  it('takes silence, other kinds and other types for no answer', () => {
    expect(readBoolean(undefined)).toBeUndefined()
    expect(readBoolean({ kind: 'score', score: 0, confidence: 1 })).toBeUndefined()
    expect(readBoolean({ kind: 'choice', choice: 'no', confidence: 1 })).toBeUndefined()
  })

  it.each(['0', null, undefined, false, [0]])(
    'takes a probability of type %o for no answer',
    (value) => {
      const answer = { kind: 'boolean', probability: value } as unknown as Answer
      expect(readBoolean(answer)).toBeUndefined()
    },
  )
})

describe('isConfidentNo', () => {
  it('is a no at the bar and none above it', () => {
    expect(no(0.2)).toBe(true)
    expect(no(0.2000001)).toBe(false)
    expect(no(0)).toBe(true)
  })

  it.each([
    [0.05, 0.9],
    [0.1, 0.8],
    [0.25, 0.5],
    [0.3, 0.4],
  ])('holds to the bar exactly: %d at %d', (probability, bar) => {
    expect(no(probability, bar)).toBe(true)
    expect(no(probability + 1e-9, bar)).toBe(false)
  })

  it('is never a no from one half on, at any bar', () => {
    expect(no(0.5, 0)).toBe(false)
    expect(no(0.9, 0)).toBe(false)
    expect(no(0.4999, 0)).toBe(true)
  })

  it('is no verdict without an answer', () => {
    expect(isConfidentNo(undefined, 0)).toBe(false)
    expect(isConfidentYes(undefined, 0)).toBe(false)
  })
})

describe('isConfidentYes', () => {
  it('is a yes from the bar on and never up to one half', () => {
    expect(yes(0.8)).toBe(true)
    expect(yes(0.7999999)).toBe(false)
    expect(yes(0.5, 0)).toBe(false)
    expect(yes(0.1, 0)).toBe(false)
  })
})
