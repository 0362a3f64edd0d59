import { describe, expect, it } from 'vitest'
import { createTokenizer, MAX_TOKENS } from '../../../../src/decide/minilm/tokenizer.ts'

/** Ids are places. */
const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'hello',
  'world',
  '!',
  ',',
  'un',
  '##aff',
  '##able',
  '##a',
  'naive',
  '[',
  ']',
  'cls',
  '中',
  '文',
  'ada',
  ':',
  'a',
  'unaff',
]
const tokenize = createTokenizer(VOCABULARY)
const piecesOf = (text: string, speaker?: string) =>
  tokenize({ text, ...(speaker !== undefined && { speaker }) }).map((id) => VOCABULARY[id])

describe('createTokenizer', () => {
  it('puts a text between the tokens of its beginning and its end', () => {
    expect(tokenize({ text: '' })).toEqual([2, 3])
    expect(tokenize({ text: 'Hello, world!' })).toEqual([2, 4, 7, 5, 6, 3])
  })

  it('takes the longest piece first, and continuations only behind a beginning', () => {
    expect(piecesOf('unaffable')).toEqual(['[CLS]', 'unaff', '##able', '[SEP]'])
    expect(piecesOf('aff')).toEqual(['[CLS]', '[UNK]', '[SEP]'])
  })

  it('gives one unknown token for a word of which any part is unknown, or that is no word', () => {
    expect(piecesOf('unaffx world')).toEqual(['[CLS]', '[UNK]', 'world', '[SEP]'])
    expect(piecesOf(`${'a'.repeat(101)} world`)).toEqual(['[CLS]', '[UNK]', 'world', '[SEP]'])
  })

  it('takes capitals and accents off and parts Han characters', () => {
    expect(piecesOf('NAÏVE')).toEqual(['[CLS]', 'naive', '[SEP]'])
    expect(piecesOf('中文')).toEqual(['[CLS]', '中', '文', '[SEP]'])
  })

  it('reads the name of a special token as text', () => {
    expect(piecesOf('[CLS]')).toEqual(['[CLS]', '[', 'cls', ']', '[SEP]'])
  })

  it('reads the speaker before what is said', () => {
    expect(piecesOf('hello', 'Ada')).toEqual(['[CLS]', 'ada', ':', 'hello', '[SEP]'])
  })

  it('has a bound of tokens, the last of which ends the text', () => {
    const even = tokenize({ text: 'unaffable '.repeat(1_000) })
    const odd = tokenize({ text: `hello ${'unaffable '.repeat(1_000)}` })
    for (const ids of [even, odd]) {
      expect(ids).toHaveLength(MAX_TOKENS)
      expect(ids.at(-1)).toBe(3)
    }
  })

  it('reads the beginning of a text only, however little of it is words', () => {
    expect(tokenize({ text: `${' '.repeat(4_000)}hello` })).toEqual([2, 3])
    expect(tokenize({ text: 'x'.repeat(5_000_000) })).toEqual([2, 1, 3])
  })

  it('refuses a vocabulary without the tokens that it needs', () => {
    expect(() => createTokenizer(['[CLS]', '[UNK]'])).toThrow('[SEP]')
  })
})
