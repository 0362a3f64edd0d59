import { describe, expect, it } from 'vitest'
import {
  CONTEXT_SCOPES,
  DEFAULT_COMPACTION_THRESHOLD,
  resolveThreshold,
  scopeToThreshold,
  scoreToScope,
} from '../../../src/engine/budget.ts'

describe('scopeToThreshold', () => {
  it('gives each level its own share, rising with the level', () => {
    expect(CONTEXT_SCOPES.map(({ scope }) => scopeToThreshold(scope))).toEqual([
      0.45, 0.6, 0.75, 0.8,
    ])
  })

  it('takes the default for a scope that it does not know', () => {
    expect(scopeToThreshold('all-of-it' as never)).toBe(DEFAULT_COMPACTION_THRESHOLD)
  })
})

describe('scoreToScope', () => {
  it.each([
    [-5, 'current-message'],
    [-0.4, 'current-message'],
    [0, 'current-message'],
    [0.49, 'current-message'],
    [0.5, 'recent-turns'],
    [1.5, 'full-conversation'],
    [2.49, 'full-conversation'],
    [2.5, 'everything'],
    [99, 'everything'],
    [Number.POSITIVE_INFINITY, 'everything'],
    [Number.NEGATIVE_INFINITY, 'current-message'],
    [Number.NaN, 'everything'],
  ])('reads %d as the nearest level, a tie as the larger budget', (score, scope) => {
    expect(scoreToScope(score)).toBe(scope)
  })
})

describe('resolveThreshold', () => {
  const sure = { scope: 'current-message', confidence: 0.9 } as const

  it('puts the caller before the scope and the scope before the default', () => {
    expect(resolveThreshold(0.7, sure)).toEqual({ value: 0.7, source: 'request' })
    expect(resolveThreshold(undefined, sure)).toEqual({ value: 0.45, source: 'scope' })
    expect(resolveThreshold(undefined, undefined)).toEqual({ value: 0.8, source: 'default' })
  })

  it.each([0.81, 1, 5, Number.POSITIVE_INFINITY])(
    'takes the default, and says so, where a caller asks for more (%d)',
    (requested) => {
      expect(resolveThreshold(requested, undefined)).toEqual({ value: 0.8, source: 'default' })
      expect(resolveThreshold(requested, sure)).toEqual({ value: 0.8, source: 'default' })
    },
  )

  it('takes a scope at the bar of confidence, and none below it', () => {
    const at = (confidence: number) => resolveThreshold(undefined, { ...sure, confidence })
    expect(at(0.5)).toEqual({ value: 0.45, source: 'scope' })
    expect(at(0.4999)).toEqual({ value: 0.8, source: 'default' })
    expect(at(Number.NaN)).toEqual({ value: 0.8, source: 'default' })
  })

  it('says default, not scope, where the scope asks for everything', () => {
    const reading = { scope: 'everything', confidence: 1 } as const
    expect(resolveThreshold(undefined, reading)).toEqual({ value: 0.8, source: 'default' })
  })

  it('calls the default the request where it is what was asked for', () => {
    expect(resolveThreshold(0.8, sure)).toEqual({ value: 0.8, source: 'request' })
  })
})
