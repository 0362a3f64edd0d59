import { describe, expect, it } from 'vitest'
import { clausesOf, MOST_CLAUSES } from '../../../../src/decide/embedded/clauses.ts'
import {
  countPassage,
  createDigestReader,
  indexQuery,
  sumCounts,
} from '../../../../src/decide/embedded/digest.ts'
import { bytesOf, createDigestCache } from '../../../../src/decide/embedded/digest-cache.ts'
import { defaultEmbedder } from '../../../../src/decide/embedded/embed.ts'
import { forEachPassage } from '../../../../src/decide/embedded/passages.ts'
import { countDocument, readQuery } from '../../../../src/decide/embedded/query.ts'
import { WIDTH } from '../../../../src/decide/embedded/static-table.ts'
import { toVector } from '../../../../src/decide/embedded/text-vector.ts'
import { readToolCall } from '../../../../src/decide/embedded/tool-call.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'

const PIECES =
  "a the kestrel fly flies Kestrels getUserName src/a.ts:12 don't 3.5 é Straße 中文 か😀 \ud800 ’s -- _x_ , ( ) \n"
    .split(' ')
    .concat(' ', ' ', '\n', '"', 'averyveryverylongwordthatisnotremembered')

function randomText(random: ReturnType<typeof createSeededRandom>, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(PIECES)).join(
    random.pick(['', ' ']),
  )
}

/** The vector of what is read in one go. */
function vectorOf(...parts: readonly string[]) {
  const { read, add } = defaultEmbedder()
  const found = { pieces: [], foreign: [] }
  for (const part of parts) read(part, found)
  const sum = new Float64Array(WIDTH)
  add(found, sum)
  return toVector(sum)
}

describe('createDigestReader', () => {
  it('counts and embeds as reading the whole text does, whatever it has read before', () => {
    const random = createSeededRandom(5)
    const read = createDigestReader(defaultEmbedder)
    const ordered = (terms: readonly number[], counts: readonly number[]) =>
      terms.map((term, at) => [term, counts[at]]).sort(([a = 0], [b = 0]) => a - b)
    for (let round = 0; round < 500; round += 1) {
      const text = randomText(random, 40)
      const query = readQuery(`${randomText(random, 10)} kestrel user`)
      const index = indexQuery(query)
      const { passages, vector, unreadShare } = read({ text, speaker: 'Ada' })
      const counted = sumCounts(
        passages.map((passage) => ({ counted: countPassage(passage, index, 0) })),
        unreadShare,
      )
      if (passages.length > 1) continue
      const expected = countDocument({ text, speaker: 'Ada' }, query)
      expect(counted.length).toBe(expected.length)
      expect(ordered(counted.terms, counted.counts)).toEqual(
        ordered(expected.terms, expected.counts),
      )
      expect(vector).toEqual(vectorOf('Ada', text))
    }
  })

  it('gives a short text the vector that reading it whole gives, and a long one nearly so', () => {
    const read = createDigestReader(defaultEmbedder)
    const text = 'The kestrel flew over getUserName in src/a.ts.'
    expect(read({ text }).vector).toEqual(vectorOf(text))
    const long = `${text}\n`.repeat(40)
    const { vector, passages } = read({ text: long })
    expect(passages.length).toBeGreaterThan(4)
    expect(vector.length).toBeCloseTo(vectorOf(long).length, 2)
  })
})

describe('forEachPassage', () => {
  it('gives all of a text in order, cut at the ends of lines or between words', () => {
    for (const separator of ['\n', ' ']) {
      const text = Array.from({ length: 400 }, (_, n) => `word${n}`).join(separator)
      const passages: string[] = []
      forEachPassage(text, (passage) => passages.push(passage))
      expect(passages.join('')).toBe(text)
      expect(passages.slice(0, -1).every((passage) => passage.endsWith(separator))).toBe(true)
      expect(passages.length).toBeGreaterThan(5)
    }
  })

  it('bounds how many there are', () => {
    let passages = 0
    forEachPassage('x'.repeat(65_536), () => {
      passages += 1
    })
    expect(passages).toBeLessThanOrEqual(33)
  })
})

describe('createDigestCache', () => {
  it('remembers within its bytes, and forgets what was not used for longest', () => {
    const sizes = createDigestCache(defaultEmbedder, 1_000_000)
    const size = bytesOf(sizes.digestOf({ text: 'one word' }))
    const cache = createDigestCache(defaultEmbedder, 3 * size)
    const [one, two, three] = ['one word', 'two word', 'six word'].map((text) =>
      cache.digestOf({ text }),
    )
    cache.digestOf({ text: 'one word' })
    cache.digestOf({ text: 'ten word' })
    expect(cache.stats()).toEqual({ entries: 3, bytes: 3 * size })
    expect(cache.digestOf({ text: 'one word' })).toBe(one)
    expect(cache.digestOf({ text: 'six word' })).toBe(three)
    expect(cache.digestOf({ text: 'two word' })).not.toBe(two)
  })

  it('keeps speakers apart, and nothing where it may not', () => {
    const cache = createDigestCache(defaultEmbedder, 1_000_000)
    const first = cache.digestOf({ speaker: 'ab', text: 'cd' })
    expect(cache.digestOf({ speaker: 'ab', text: 'cd' })).toBe(first)
    expect(cache.digestOf({ speaker: 'abc', text: 'd' })).not.toBe(first)
    const none = createDigestCache(defaultEmbedder, 0)
    none.digestOf({ text: 'a kestrel' })
    expect(none.stats()).toEqual({ entries: 0, bytes: 0 })
  })
})

describe('clausesOf', () => {
  it('gives the lines and questions of a request that asks for several things', () => {
    expect(clausesOf('Which port does it use? Who owns the bakery?\nAnd when?')).toEqual([
      'Which port does it use?',
      'Who owns the bakery?',
    ])
    expect(clausesOf('Which port does it use?')).toEqual([])
  })

  it('takes the last of many, and none of a pasted file', () => {
    const lines = Array.from({ length: 20 }, (_, n) => `What is the value number ${n}?`)
    expect(clausesOf(lines.join('\n'))).toEqual(lines.slice(-MOST_CLAUSES))
    expect(clausesOf(lines.join('\n').repeat(20))).toEqual([])
  })
})

describe('readToolCall', () => {
  it('reads the call behind what was said, and nothing of the result', () => {
    const text = 'I look.\nopen({"file":"a.ts"})\nopen({"file":"b.ts"})'
    expect(readToolCall(text)).toEqual({ key: 'open({"file":"a.ts"})' })
    expect(readToolCall('no call (here)')).toBeUndefined()
  })
})
