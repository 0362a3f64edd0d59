import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type EncodingName, getEncoding } from '../../../src/tokens/encoding.ts'
import { unpackVocabulary } from '../../../src/tokens/vocabulary.ts'
import { PATHOLOGICAL_TEXTS } from './pathological-texts.ts'
import { createRandom, type Random } from './random.ts'
import { ENCODING_NAMES, referenceCount } from './reference-encodings.ts'
import { SAMPLE_TEXTS } from './sample-texts.ts'

/** Characters at which patterns part ways, and a few words around them. */
const EDGES = [
  ...[
    "'",
    '’',
    "'s",
    "'S",
    "'ſ",
    "'ll",
    "'Re",
    "'vE",
    "'M",
    "'d",
    "'T",
    'ſ',
    '\u212a',
    'k',
    "don't",
  ],
  ...[
    'a',
    'z',
    'bc',
    'A',
    'XY',
    'Word',
    'é',
    'É',
    'ß',
    'ẞ',
    'ǅ',
    'ʰ',
    'ª',
    'İ',
    'ı',
    '𐐀',
    '𐐨',
    '𝔘',
  ],
  ...[
    '日',
    '本語',
    'ก',
    'ा',
    'א',
    'ع',
    '가',
    'ｶ',
    '\u0300',
    '\u0301',
    '\u20dd',
    '\u200d',
    '\ufe0f',
  ],
  ...['0', '12', '345', '6789', '٣', '१', 'Ⅷ', '½', '②', '𝟘'],
  ...[
    ' ',
    '  ',
    '   ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\v',
    '\f',
    '\u0085',
    '\u00a0',
    '\u1680',
    '\u2003',
  ],
  ...['\u2028', '\u2029', '\u202f', '\u3000', '\ufeff', '\u200b', '\u180e', '\0', '\x1f', '\x7f'],
  ...[
    '/',
    '//',
    '!',
    '?!',
    '-',
    '_',
    '.',
    '{"',
    '":',
    '=>',
    '€',
    '，',
    '。',
    '…',
    '\u2764',
    '😀',
    '👍🏽',
  ],
  ...['\ud800', '\udc00', '\ud83d', '\ufffd', '\uffff', '\u{10ffff}', '<|endoftext|>', '__proto__'],
]
const SAMPLES = Object.values(SAMPLE_TEXTS)

let cases = 0

describe.each(ENCODING_NAMES)('the count of %s', (name) => {
  const { countTokens } = getEncoding(name)

  /** The first few texts that are counted otherwise than by the reference. */
  function differences(texts: Iterable<string>): string[] {
    const different: string[] = []
    for (const text of texts) {
      cases++
      const ours = countTokens(text)
      const theirs = referenceCount(name, text)
      if (ours !== theirs && different.length < 5) {
        different.push(`${JSON.stringify(text.slice(0, 200))}: ${ours}, not ${theirs}`)
      }
    }
    return different
  }

  it('is that of the reference for every code point of the basic plane in context', () => {
    expect(differences(eachCodePoint(0, 0xffff, 1))).toEqual([])
  }, 60_000)

  it('is that of the reference for code points of the other planes in context', () => {
    expect(differences(eachCodePoint(0x10000, 0x323ff, 11))).toEqual([])
    expect(differences(eachCodePoint(0x32400, 0x10ffff, 257))).toEqual([])
  }, 60_000)

  it('is that of the reference for every short mix of whitespace, letter, digit and symbol', () => {
    expect(differences(eachString([' ', '\n', '\r', '\u00a0', 'a', '1', '!'], 5))).toEqual([])
  }, 60_000)

  it('is that of the reference for every contraction in every case and context', () => {
    expect(differences(eachContraction())).toEqual([])
  })

  it('is that of the reference for runs of digits and of spaces', () => {
    const runs = Array.from({ length: 300 }, (_, length) =>
      ['7', '٣', ' ', '\n', ' \n', '\t', '=', '-'].map((unit) => `a${unit.repeat(length)}b`),
    )
    expect(differences(runs.flat())).toEqual([])
  })

  it('is that of the reference for random mixes of edge characters', () => {
    const random = createRandom(name.length)
    const mixes = Array.from({ length: 50_000 }, () => mixOf(random, EDGES, 12))
    expect(differences(mixes)).toEqual([])
  }, 60_000)

  it('is that of the reference for random cuts of realistic texts', () => {
    const random = createRandom(77)
    const mixes = Array.from({ length: 12_000 }, () =>
      mixOf(random, [cutOf(random), cutOf(random), random.pick(EDGES)], 6),
    )
    expect(differences(mixes)).toEqual([])
  }, 60_000)

  it('is that of the reference for each token of the vocabulary that is text', () => {
    expect(differences(eachToken(name))).toEqual([])
  }, 60_000)

  it('is that of the reference for whole texts, and takes names of special tokens as text', () => {
    expect(differences(SAMPLES)).toEqual([])
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(countTokens('')).toBe(0)
  })

  it('is that of the reference for single pieces around every length at which the method changes', () => {
    const random = createRandom(3)
    const letters = 'etaoinshrdlucmfwypvbgkjqxzETAOIN'
    const lengths = [94, 95, 96, 97, 98, 254, 255, 256, 257, 3583, 3584, 4095, 4096, 4097, 8200]
    const pieces = lengths.flatMap((bytes) =>
      [letters, 'ab', 'the', '一二三四五六七八九十', '😀😃👍'].map((alphabet) => {
        const characters = [...alphabet]
        const width = Buffer.byteLength(characters[0] ?? '')
        return Array.from({ length: bytes / width }, () => random.pick(characters)).join('')
      }),
    )
    expect(differences(pieces)).toEqual([])
  }, 60_000)

  it('is that of the reference for the worst texts of other tokenisers', () => {
    const texts = Object.values(PATHOLOGICAL_TEXTS).flatMap((make) => [make(500), make(4200)])
    expect(differences(texts)).toEqual([])
  }, 60_000)

  it('is that of the reference for texts that are counted in several cuts', () => {
    const random = createRandom(11)
    const texts = [1, 2, 3].map(() =>
      Array.from({ length: 800 }, () => mixOf(random, SAMPLES, 2)).join(''),
    )
    expect(Math.min(...texts.map((text) => text.length))).toBeGreaterThan(40_000)
    expect(differences(texts)).toEqual([])
  })
})

it('has been compared with the reference in at least 300,000 cases', () => {
  expect(cases).toBeGreaterThanOrEqual(300_000)
})

/** Each code point with letters of both cases, digits, blanks, an apostrophe and itself around it. */
function* eachCodePoint(from: number, to: number, step: number): Generator<string> {
  for (let codePoint = from; codePoint <= to; codePoint += step) {
    const character = String.fromCodePoint(codePoint)
    yield `x${character}Ab${character}${character} ${character}1${character}'s\n${character}Z${character}`
  }
}

function* eachToken(name: EncodingName): Generator<string> {
  const file = readFileSync(new URL(`../../../src/tokens/vocabulary/${name}.bin`, import.meta.url))
  const { lengths, bytes } = unpackVocabulary(file)
  let start = 0
  for (const length of lengths) {
    const token = bytes.subarray(start, start + length)
    start += length
    if (isUtf8(token)) yield Buffer.from(token).toString('utf8')
  }
}

function* eachString(alphabet: readonly string[], longest: number): Generator<string> {
  for (const first of alphabet) {
    yield first
    if (longest > 1) for (const rest of eachString(alphabet, longest - 1)) yield first + rest
  }
}

function* eachContraction(): Generator<string> {
  const endings = [
    's',
    't',
    'm',
    'd',
    'll',
    're',
    've',
    'l',
    'r',
    'v',
    'x',
    'le',
    'ſ',
    'K',
    "'",
    '',
  ]
  for (const ending of endings) {
    const spellings = new Set([
      ending,
      ending.toUpperCase(),
      `${ending.slice(0, 1).toUpperCase()}${ending.slice(1)}`,
      `${ending.slice(0, 1)}${ending.slice(1).toUpperCase()}`,
    ])
    for (const spelling of spellings) {
      for (const before of [
        '',
        'a',
        'A',
        'é',
        ' ',
        '\n',
        '1',
        '日',
        '!',
        "'",
        'a\u0301',
        '\u0301',
      ]) {
        for (const after of ['', 'a', 'Z', ' ', "'s", '1', '\n', 's']) {
          yield `${before}'${spelling}${after}`
          yield `${before}’${spelling}${after}`
        }
      }
    }
  }
}

function mixOf(random: Random, parts: readonly string[], most: number): string {
  let mix = ''
  for (let count = 1 + random.below(most); count > 0; count--) mix += random.pick(parts)
  return mix
}

function cutOf(random: Random): string {
  const text = random.pick(SAMPLES)
  const from = random.below(text.length)
  return text.slice(from, from + 1 + random.below(40))
}
