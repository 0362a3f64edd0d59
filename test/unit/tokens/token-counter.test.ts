import { describe, expect, it } from 'vitest'
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import { referenceCount } from './reference-encodings.ts'
import { SAMPLE_TEXTS } from './sample-texts.ts'

const TEXTS = Object.values(SAMPLE_TEXTS)

describe('token counters', () => {
  const counters = createTokenCounters({ cacheBytes: 1_000_000 })

  it.each([
    ['gpt-4o', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    [undefined, 'o200k_base'],
  ] as const)('count exactly for %s, cached or not', (model, encoding) => {
    const counter = counters.forModel(model)
    expect(counter).toMatchObject({ encoding, factor: 1, estimated: false })
    for (const text of [...TEXTS, ...TEXTS]) {
      expect(counter.countTokens(text)).toBe(referenceCount(encoding, text))
    }
  })

  it('multiply an estimate and round it up, without the errors of binary fractions', () => {
    const { countTokens, factor, estimated } = counters.forModel('llama-3.3-70b')
    expect([factor, estimated]).toEqual([1.1, true])
    const hundredTokens = 'a '.repeat(100).trim()
    expect(referenceCount('o200k_base', hundredTokens)).toBe(100)
    expect(countTokens(hundredTokens)).toBe(110)
    expect(countTokens('a')).toBe(2)
    expect(countTokens('')).toBe(0)
  })

  it('share no count between encodings', () => {
    const text = SAMPLE_TEXTS.ar ?? ''
    const newer = counters.forModel('gpt-4o')
    const older = counters.forModel('gpt-4')
    expect(newer.countTokens(text)).not.toBe(older.countTokens(text))
    expect(newer.countTokens(text)).toBe(referenceCount('o200k_base', text))
  })

  it('share one cache between models of an encoding', () => {
    const { forModel, stats } = createTokenCounters({ cacheBytes: 1_000_000 })
    const text = SAMPLE_TEXTS.prose ?? ''
    forModel('gpt-4o').countTokens(text)
    forModel('claude-sonnet-4-5').countTokens(text)
    forModel('o3').countTokens(text)
    expect(stats()).toMatchObject({ hits: 2, misses: 1, entries: 1 })
  })

  it('are as many as there are rules, whatever names callers send', () => {
    const made = new Set(
      Array.from({ length: 5000 }, (_, index) => counters.forModel(`model-${index}`)),
    )
    expect(made.size).toBe(1)
  })

  it('work without a cache', () => {
    const { forModel, stats } = createTokenCounters({ cacheBytes: 0 })
    const text = SAMPLE_TEXTS.prose ?? ''
    expect(forModel('gpt-4o').countTokens(text)).toBe(referenceCount('o200k_base', text))
    expect(stats()).toEqual({ hits: 0, misses: 0, entries: 0, bytes: 0 })
  })
})
