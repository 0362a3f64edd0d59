import { describe, expect, it } from 'vitest'
import { holdsPhrases, wordsOf } from '../../../../src/engine/summary/phrases.ts'

const holds = (text: string, ...phrases: string[]) =>
  holdsPhrases(wordsOf(text), phrases.map(wordsOf))

describe('wordsOf', () => {
  it('leaves out signs and case', () => {
    expect(wordsOf('- "Never" log: KEYS!')).toEqual(['never', 'log', 'keys'])
  })

  it('parts numbers from letters, and letters of scripts without spaces from one another', () => {
    expect(wordsOf('Node20を使う')).toEqual(['node', '20', 'を', '使', 'う'])
  })

  it('has no words for signs alone', () => {
    expect(wordsOf('--- ***')).toEqual([])
  })
})

describe('holdsPhrases', () => {
  it('finds phrases at both ends and in the middle, in any order', () => {
    expect(holds('a b c d e', 'd e', 'a b', 'c')).toBe(true)
  })

  it('finds no phrase whose words are apart, in another order, or parts of words', () => {
    expect(holds('a b c', 'a c')).toBe(false)
    expect(holds('a b c', 'b a')).toBe(false)
    expect(holds('at most 30', 'at most 3')).toBe(false)
  })

  it('finds phrases that overlap, begin alike or stand within each other', () => {
    expect(holds('a b a b c', 'a b c', 'a b a', 'b a b c')).toBe(true)
    expect(holds('x a b c y', 'a b c d', 'b c')).toBe(false)
    expect(holds('x a b c y', 'a b c', 'b', 'b c')).toBe(true)
  })

  it('finds the ending of a longer phrase of which only that ending is there', () => {
    expect(holds('c d', 'a b c d', 'c d')).toBe(false)
    expect(holds('a b c x', 'b c', 'a b c d')).toBe(false)
    expect(holds('a b c x', 'b c', 'c')).toBe(true)
  })

  it('finds a phrase within a run of a script without spaces', () => {
    expect(holds('利用者：Node 20を使うこと', 'Node 20を使う')).toBe(true)
  })

  it('holds no phrases and empty phrases always, and others never in nothing', () => {
    expect(holds('')).toBe(true)
    expect(holds('', '', '---')).toBe(true)
    expect(holds('', 'a')).toBe(false)
  })

  it('agrees with a plain search on all short texts over two words', () => {
    const texts = Array.from({ length: 64 }, (_, index) =>
      [...index.toString(2)].map((digit) => (digit === '0' ? 'a' : 'b')).join(' '),
    )
    for (const text of texts) {
      for (const phrase of texts.slice(0, 16)) {
        expect(holds(text, phrase, 'b'), `${phrase} in ${text}`).toBe(
          ` ${text} `.includes(` ${phrase} `) && ` ${text} `.includes(' b '),
        )
      }
    }
  })
})
