import { describe, expect, it } from 'vitest'
import { cutEnd } from '../../../src/tokens/text-cuts.ts'
import { createRandom } from './random.ts'
import { ENCODING_NAMES, referenceCount } from './reference-encodings.ts'

const PARTS = [
  ...['a', 'B', "'s", '1', '!', '/', '日', '\u0301', '😀', '\ud83d', '\ude00', '_', '\x7f'],
  ...[' ', ' ', '  ', '\n', '\n', '\r', '\t', '\u00a0', '\u0085', '\u3000', '\u2028', '\ufeff'],
]

describe('the end of a cut', () => {
  it.each(ENCODING_NAMES)('never changes the count of %s', (name) => {
    const random = createRandom(21)
    let cuts = 0
    for (let round = 0; round < 15_000; round++) {
      const text = Array.from({ length: 2 + random.below(12) }, () => random.pick(PARTS)).join('')
      const at = cutEnd(text, 0, 1 + random.below(text.length))
      if (at === text.length) continue
      cuts++
      const parts = referenceCount(name, text.slice(0, at)) + referenceCount(name, text.slice(at))
      expect(parts, JSON.stringify([text, at])).toBe(referenceCount(name, text))
    }
    expect(cuts).toBeGreaterThan(2000)
  })

  it('is the last safe place within the limit', () => {
    expect(cutEnd('one two three four', 0, 10)).toBe('one two'.length)
    expect(cutEnd('one two three four', 'one two'.length, 8)).toBe('one two three'.length)
    expect(cutEnd('line\nline\nline', 0, 12)).toBe('line\nline\n'.length)
  })

  it('is the first safe place after the limit where there is none within it', () => {
    expect(cutEnd('unbroken then', 0, 3)).toBe('unbroken'.length)
  })

  it('is the end of the text where nothing is left, or nothing is safe', () => {
    expect(cutEnd('short', 0, 100)).toBe('short'.length)
    expect(cutEnd('天地玄黄宇宙洪荒', 0, 3)).toBe(8)
    expect(cutEnd('a\n\n\n   \n/b', 0, 3)).toBe('a\n\n\n   \n/b'.length)
  })
})
