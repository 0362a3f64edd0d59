import { describe, expect, it } from 'vitest'
import {
  cutAfter,
  cutBefore,
  headAndTail,
  omissionMark,
  shortenToTokens,
} from '../../../src/engine/text-cut.ts'
import { hasLoneSurrogate } from '../../helpers/lone-surrogate.ts'
import { countByLength } from '../../helpers/transcript-builder.ts'

const EMOJI = '😀'

describe('cutBefore and cutAfter', () => {
  it('move off the middle of a surrogate pair, to the left and to the right', () => {
    const text = `a${EMOJI}b`
    expect(cutBefore(text, 2)).toBe(1)
    expect(cutAfter(text, 2)).toBe(3)
  })

  it('stay where they are between characters, also beside a pair', () => {
    const text = `a${EMOJI}b`
    expect([1, 3].map((position) => cutBefore(text, position))).toEqual([1, 3])
    expect([1, 3].map((position) => cutAfter(text, position))).toEqual([1, 3])
  })

  it('stay within the text', () => {
    expect([cutBefore('abc', -2), cutBefore('abc', 9)]).toEqual([0, 3])
    expect([cutAfter('abc', -2), cutAfter('abc', 9)]).toEqual([0, 3])
  })

  it('leave lone surrogates as they are', () => {
    const text = '\ud83d\ud83d\ude00\ude00'
    expect(cutBefore(text, 1)).toBe(1)
    expect(cutAfter(text, 3)).toBe(3)
  })
})

describe('headAndTail', () => {
  it('returns a text that is short enough as it is', () => {
    expect(headAndTail('abcdef', 6)).toBe('abcdef')
  })

  it('keeps head and tail and says how many characters are missing between', () => {
    expect(headAndTail('abcdefghij', 5)).toBe(`abc${omissionMark(5)}ij`)
  })

  it('keeps the bare mark where nothing may be kept', () => {
    expect(headAndTail('abc', 0)).toBe(omissionMark(3))
  })

  it('splits no surrogate pair for any length, and counts what it left out', () => {
    const text = EMOJI.repeat(9)
    for (let keep = 0; keep < text.length; keep += 1) {
      const cut = headAndTail(text, keep)
      expect(hasLoneSurrogate(cut)).toBe(false)
      const [, omitted] = /(\d+) characters/.exec(cut) ?? []
      const kept = cut.length - omissionMark(Number(omitted)).length
      expect(kept + Number(omitted)).toBe(text.length)
      expect(kept).toBeLessThanOrEqual(keep)
    }
  })
})

describe('shortenToTokens', () => {
  const shorten = (text: string, budget: number, count = countByLength) =>
    shortenToTokens(text, count(text), budget, count)

  it('returns a text that is within its budget as it is', () => {
    expect(shorten('x'.repeat(40), 10)).toBe('x'.repeat(40))
  })

  it('never goes over its budget, whatever the budget', () => {
    const text = 'const answer = 42\n'.repeat(100)
    for (let budget = 10; budget < countByLength(text); budget += 1) {
      const short = shorten(text, budget)
      expect(short).toBeDefined()
      expect(countByLength(short ?? '')).toBeLessThanOrEqual(budget)
    }
  })

  it('uses nearly all of a budget where tokens are evenly spread', () => {
    const short = shorten('x'.repeat(40_000), 2_000)
    expect(countByLength(short ?? '')).toBeGreaterThan(1_900)
  })

  it('stays within its budget where the ends are far denser than the middle', () => {
    // One token for every z, one for four of everything else.
    const count = (text: string) => {
      const dense = text.split('z').length - 1
      return dense + Math.ceil((text.length - dense) / 4)
    }
    const text = `${'z'.repeat(3_000)}${'a'.repeat(90_000)}${'z'.repeat(3_000)}`
    for (const budget of [20, 64, 300, 2_000]) {
      const short = shorten(text, budget, count)
      expect(count(short ?? text)).toBeLessThanOrEqual(budget)
      expect(short).toMatch(/^z+\n/)
    }
  })

  it('falls back to the bare mark, and to nothing where even that does not fit', () => {
    const text = 'x'.repeat(4_000)
    const mark = omissionMark(4_000)
    const count = (part: string) => part.length
    expect(shorten(text, mark.length, count)).toBe(mark)
    expect(shorten(text, mark.length - 1, count)).toBeUndefined()
    expect(shorten(text, 0, count)).toBeUndefined()
  })

  it('gives up after a bounded number of counts of a counter that never agrees', () => {
    let counts = 0
    const short = shortenToTokens('x'.repeat(1_000_000), 250_000, 1_000, () => {
      counts += 1
      return 1_001
    })
    expect(short).toBeUndefined()
    expect(counts).toBeLessThanOrEqual(13)
  })
})
