import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../src/engine/ports.ts'
import {
  readScope,
  SCOPE_QUESTION,
  scopeState,
} from '../../../../src/engine/questions/context-scope.ts'

const reading = (answer: Answer) => readScope(new Map([[SCOPE_QUESTION.id, answer]]))
const scored = (score: number, confidence = 0.9): Answer => ({ kind: 'score', score, confidence })

describe('readScope', () => {
  it('reads the nearest level with its confidence', () => {
    expect(reading(scored(1.2, 0.7))).toEqual({ scope: 'recent-turns', confidence: 0.7 })
  })

  it('clamps scores outside the rubric', () => {
    expect(reading(scored(-3))?.scope).toBe('current-message')
    expect(reading(scored(12))?.scope).toBe('everything')
  })

  it.each([
    ['a score that is no number', scored(Number.NaN)],
    ['an endless score', scored(Number.POSITIVE_INFINITY)],
    ['a confidence that is no number', scored(1, Number.NaN)],
    ['a confidence above 1', scored(1, 1.2)],
    ['a negative confidence', scored(1, -0.1)],
    ['another kind of answer', { kind: 'boolean', probability: 1 } as const],
  ])('takes %s for no reading', (_, answer) => {
    expect(reading(answer)).toBeUndefined()
  })

  it('has no reading without an answer', () => {
    expect(readScope(new Map())).toBeUndefined()
  })
})

describe('SCOPE_QUESTION', () => {
  it('asks on an ordered rubric of four described levels', () => {
    if (SCOPE_QUESTION.kind !== 'score') throw new Error('not a score question')
    expect(SCOPE_QUESTION.levels.map(({ label }) => label)).toEqual([
      'current-message',
      'recent-turns',
      'full-conversation',
      'everything',
    ])
    expect(SCOPE_QUESTION.levels.every(({ description }) => (description ?? '') !== '')).toBe(true)
  })

  it('rests on the request alone', () => {
    expect(scopeState('do it')).toEqual({
      fields: { current_request: 'do it' },
      recent: [],
      documents: [],
    })
  })
})
