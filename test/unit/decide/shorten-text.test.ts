import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortenText } from '../../../src/decide/shorten-text.ts'

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', 'é', '漢', '😀', '𝒳'),
  maxLength: 900,
})

describe('shortening a text', () => {
  test('leaves a text alone that is short enough', () => {
    expect(shortenText('a decision', 10)).toBe('a decision')
  })

  test('keeps head and tail, and says how much is missing', () => {
    const text = `START${'x'.repeat(5_000)}END`
    const short = shortenText(text, 1_200)
    expect(short.startsWith('STARTxxx')).toBe(true)
    expect(short.endsWith('xxxEND')).toBe(true)
    const [gap, said] = / \[\.\.\. (\d+) characters left out \.\.\.] /.exec(short) ?? []
    expect(Number(said)).toBe(text.length - (short.length - String(gap).length))
  })

  test('shows a decision that stands at the end of a long message (W26)', () => {
    const text = `${'We talked about the weather. '.repeat(60)}Decision: use Postgres 16.`
    expect(text.length).toBeGreaterThan(1_300)
    expect(shortenText(text, 1_200)).toContain('Decision: use Postgres 16.')
  })

  test('never makes it longer than it may be', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 300 }), (text, max) => {
        expect(shortenText(text, max).length).toBeLessThanOrEqual(max)
      }),
      { seed: 20_261_129, numRuns: 500 },
    )
  })

  test('never splits a surrogate pair, wherever the cut falls', () => {
    const text = '😀'.repeat(600)
    for (let max = 0; max < 200; max += 1) {
      expect(shortenText(text, max).replace(/ \[.*] /, '')).toMatch(/^😀*$/u)
    }
  })

  test('replaces surrogates that had no partner', () => {
    expect(shortenText('a\ud83d b \udc00', 100)).toBe('a\ufffd b \ufffd')
    expect(shortenText('😀 stays', 100)).toBe('😀 stays')
  })
})
