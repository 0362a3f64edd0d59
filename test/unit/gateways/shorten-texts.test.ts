import { describe, expect, it } from 'vitest'
import type { KongCompressBody } from '../../../src/contract/gateways/kong.ts'
import { shortenTexts } from '../../../src/http/gateways/shorten-texts.ts'
import { countByLength, ofTokens } from '../../helpers/transcript-builder.ts'

const RANGES = [
  { min_tokens: 50, max_tokens: 100, value: 0.8 },
  { min_tokens: 100, max_tokens: 10_000, value: 0.25 },
]

function shorten(tokens: number, over: Partial<KongCompressBody> = {}) {
  const text = ofTokens(tokens, 'word')
  const [first] = shortenTexts({ text, compress_ranges: RANGES, ...over }, countByLength)
  if (first === undefined) throw new Error('there is no text')
  const { compress_prompt: prompt, compressor_results: results } = first
  return { text, prompt, ...results }
}

describe('shortenTexts', () => {
  it('keeps the share of the tokens that the range says, head and tail', () => {
    const { prompt, text, compress_token_count: after } = shorten(1_000)
    expect(after).toBeLessThanOrEqual(250)
    expect(after).toBeGreaterThan(230)
    expect(prompt).toContain('characters omitted')
    expect(prompt.startsWith(text.slice(0, 100))).toBe(true)
    expect(prompt.endsWith(text.slice(-100))).toBe(true)
    expect(countByLength(prompt)).toBe(after)
  })

  it('brings a text to a number of tokens where the values are tokens', () => {
    const ranges = [{ min_tokens: 100, max_tokens: 10_000, value: 150 }]
    const { compress_token_count: after } = shorten(1_000, {
      compress_type: 'target_token',
      compress_ranges: ranges,
    })
    expect(after).toBeLessThanOrEqual(150)
    expect(after).toBeGreaterThan(130)
  })

  it('goes by the first range that holds the tokens, both ends included', () => {
    expect(shorten(100).compress_value).toBe(0.8)
    expect(shorten(101).compress_value).toBe(0.25)
    expect(shorten(50).compress_value).toBe(0.8)
  })

  it.each([
    ['no range holds', 49, {}, null],
    [
      'would have to grow',
      60,
      {
        compress_type: 'target_token',
        compress_ranges: [{ min_tokens: 0, max_tokens: 99, value: 400 }],
      },
      400,
    ],
    ['has no ranges', 1_000, { compress_ranges: [] }, null],
  ] as const)('leaves a text whole that %s', (_name, tokens, over, value) => {
    const result = shorten(tokens, over as Partial<KongCompressBody>)
    expect(result.prompt).toBe(result.text)
    expect(result).toMatchObject({ save_token_count: 0, compress_value: value })
  })

  it('leaves a text whole that not even the mark would shorten enough', () => {
    const result = shorten(60, {
      compress_ranges: [{ min_tokens: 0, max_tokens: 99, value: 0.01 }],
    })
    expect(result.prompt).toBe(result.text)
    expect(result.information).toBe('too short to be shortened so far')
  })

  it('gives texts back under their ids, or their places', () => {
    const text = [{ msg_id: 'b', text: 'x' }, { text: 'y' }, { msg_id: 0, text: 'z' }]
    const ids = shortenTexts({ text }, countByLength).map((one) => [
      one.msg_id,
      one.compressor_results.msg_id,
      one.compress_prompt,
    ])
    expect(ids).toEqual([
      ['b', 'b', 'x'],
      [1, 1, 'y'],
      [0, 0, 'z'],
    ])
  })
})
