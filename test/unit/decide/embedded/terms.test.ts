import { describe, expect, it } from 'vitest'
import { forEachTerm } from '../../../../src/decide/embedded/terms.ts'

function termsOf(text: string): string[] {
  const terms: string[] = []
  forEachTerm(text, (term) => terms.push(term))
  return terms
}

describe('forEachTerm', () => {
  it('gives lower-case words without punctuation', () => {
    expect(termsOf('Hello, (Big) world! "Tea"?')).toEqual(['hello', 'big', 'world', 'tea'])
  })

  it('gives an identifier in camel case as a whole and in parts', () => {
    expect(termsOf('getUserId')).toEqual(['getuserid', 'get', 'user', 'id'])
    expect(termsOf('userID')).toEqual(['userid', 'user', 'id'])
    expect(termsOf('HTTPServer')).toEqual(['httpserver', 'http', 'server'])
    expect(termsOf('parse2Json')).toEqual(['parse2json', 'parse2', 'json'])
  })

  it('gives an identifier in snake case as a whole and in parts', () => {
    expect(termsOf('max_drop_ratio')).toEqual(['max', 'drop', 'ratio', 'max_drop_ratio'])
  })

  it('gives a path and its parts, cased parts split further', () => {
    expect(termsOf('/src/tokens/countCache.ts:12.')).toEqual([
      'src',
      'token',
      'countcache',
      'count',
      'cach',
      'ts',
      '12',
      'src/tokens/countcache.ts:12',
    ])
  })

  it('gives dates, addresses and qualified names as a whole and in parts', () => {
    expect(termsOf('2024-03-05')).toEqual(['2024', '03', '05', '2024-03-05'])
    expect(termsOf('ann@example.org')).toEqual(['ann', 'exampl', 'org', 'ann@example.org'])
    expect(termsOf('std::map')).toEqual(['std', 'map', 'std::map'])
  })

  it('drops dangling joiners', () => {
    expect(termsOf('-- end. __init__ ...')).toEqual(['end', 'init'])
  })

  it('takes off what follows an apostrophe, but not a word of its own', () => {
    expect(termsOf("Ada's dog won’t bark, we'll see l'amour")).toEqual([
      'ada',
      'dog',
      'won',
      'bark',
      'we',
      'see',
      'l',
      'amour',
    ])
  })

  it('meets accented and full-width spellings with plain ones', () => {
    expect(termsOf('Café naïve ＡＢＣ')).toEqual(termsOf('cafe naive abc'))
    expect(termsOf('cafe\u0301')).toEqual(['caf'])
  })

  it('keeps letters of other alphabets apart', () => {
    expect(termsOf('Ёлка ёлка')).toEqual(['ёлка', 'ёлка'])
    expect(termsOf('й и')).toEqual(['й', 'и'])
    expect(termsOf('Straße')).toEqual(['straße'])
  })

  it('cuts text without spaces between words into pairs', () => {
    expect(termsOf('东京大学')).toEqual(['东京', '京大', '大学'])
    expect(termsOf('ラーメン')).toEqual(['ラー', 'ーメ', 'メン'])
    expect(termsOf('서울에서')).toEqual(['서울', '울에', '에서'])
    expect(termsOf('ไทย')).toEqual(['ไท', 'ทย'])
    expect(termsOf('猫')).toEqual(['猫'])
    expect(termsOf('用getUserId读取')).toEqual(['用', 'getuserid', 'get', 'user', 'id', '读取'])
    expect(termsOf('𠀀𠀁𠀂')).toEqual(['𠀀𠀁', '𠀁𠀂'])
  })

  it('takes lone surrogates and emoji for separators', () => {
    expect(termsOf('a\ud800b\udc00c😀d')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('reads the beginning of a word that is too long to be one', () => {
    expect(termsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)])
    const path = 'dir/'.repeat(100)
    expect(termsOf(path)).toEqual(Array.from({ length: 100 }, () => 'dir'))
  })

  it('gives nothing for a text without letters or digits', () => {
    expect(termsOf('')).toEqual([])
    expect(termsOf(' \n\t… — !?')).toEqual([])
  })
})
