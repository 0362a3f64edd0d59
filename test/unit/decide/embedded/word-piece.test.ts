import { describe, expect, it } from 'vitest'
import { createPieceIndex } from '../../../../src/decide/embedded/piece-index.ts'
import { createPieceReader } from '../../../../src/decide/embedded/word-piece.ts'

const PIECES =
  'cafe get user name http server un ##believ ##able believ a ##b ##c ab 44 ##17 straße ##s v2'.split(
    ' ',
  )

function read(text: string): { readonly pieces: string[]; readonly foreign: number[] } {
  const pieces: string[] = []
  const foreign: number[] = []
  createPieceReader(createPieceIndex(PIECES), {
    piece: (piece) => pieces.push(PIECES[piece] ?? '?'),
    foreign: (hash) => foreign.push(hash),
  })(text)
  return { pieces, foreign }
}

describe('createPieceReader', () => {
  it('takes the longest piece that a word begins with, and goes on after it', () => {
    expect(read('unbelievable abc 4417').pieces).toEqual([
      'un',
      '##believ',
      '##able',
      'ab',
      '##c',
      '44',
      '##17',
    ])
  })

  it('keeps pieces that begin a word apart from those that continue one', () => {
    expect(read('believ').pieces).toEqual(['believ'])
    expect(read('userbeliev unuser')).toEqual({ pieces: ['user', '##believ'], foreign: [] })
  })

  it('gives nothing for a word of which a part is unknown', () => {
    expect(read('user userx xuser name').pieces).toEqual(['user', 'name'])
  })

  it('folds case and accents', () => {
    expect(read('CAFÉ Cafe\u0301 café Straße').pieces).toEqual(['cafe', 'cafe', 'cafe', 'straße'])
  })

  it('cuts camel case, capitals before a word, and what punctuation holds together', () => {
    expect(read('getUserName HTTPServer userHTTP').pieces).toEqual([
      'get',
      'user',
      'name',
      'http',
      'server',
      'user',
      'http',
    ])
    expect(read('get_user-name/server.http(user)').pieces).toEqual([
      'get',
      'user',
      'name',
      'server',
      'http',
      'user',
    ])
  })

  it('takes words of other scripts whole, whatever their case', () => {
    const [first, second, third] = read('Ёлка ёлка ёлки').foreign
    expect(first).toBe(second)
    expect(first).not.toBe(third)
    expect(read('Ёлка').pieces).toEqual([])
  })

  it('takes scripts without spaces by pairs of characters, a single one by itself', () => {
    expect(read('数据库').foreign).toEqual([...read('数据').foreign, ...read('据库').foreign])
    expect(read('猫').foreign).toHaveLength(1)
    expect(read('user数据name')).toMatchObject({ pieces: ['user', 'name'] })
    expect(read('𠀀𠀁𠀂').foreign).toHaveLength(2)
  })

  it('passes over what is too long to be a word, and reads on behind it', () => {
    expect(read(`${'user'.repeat(16)}`).pieces).toEqual([])
    expect(read(`${'x'.repeat(100_000)} user`).pieces).toEqual(['user'])
    expect(read(`${'é'.repeat(100_000)} user`).pieces).toEqual(['user'])
    expect(read(`aB${'b'.repeat(100)} user`).pieces).toEqual(['a', 'user'])
  })

  it('takes lone surrogates, emoji and punctuation for separators', () => {
    expect(read('user\ud800name\udc00get😀http!?').pieces).toEqual(['user', 'name', 'get', 'http'])
    expect(read('\ud835\udc00')).toEqual({ pieces: ['a'], foreign: [] })
  })

  it('gives nothing for an empty text', () => {
    expect(read('')).toEqual({ pieces: [], foreign: [] })
    expect(read(' \n.,')).toEqual({ pieces: [], foreign: [] })
  })
})
