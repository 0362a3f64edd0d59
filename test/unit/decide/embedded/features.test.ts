import { describe, expect, it } from 'vitest'
import { scoreDocuments } from '../../../../src/decide/embedded/bm25.ts'
import { COEFFICIENTS } from '../../../../src/decide/embedded/coefficients.ts'
import { createDigestReader } from '../../../../src/decide/embedded/digest.ts'
import { defaultEmbedder } from '../../../../src/decide/embedded/embed.ts'
import {
  FEATURES,
  matchDocuments,
  type ReadDocument,
} from '../../../../src/decide/embedded/features.ts'
import { clarityOf, isMute, probabilities } from '../../../../src/decide/embedded/probability.ts'
import { countDocument, type Query, readQuery } from '../../../../src/decide/embedded/query.ts'
import { smallTalk } from './helpers.ts'

const query = readQuery('kestrel viaduct the')

const read = createDigestReader(defaultEmbedder)

function readAll(texts: readonly string[], of: Query): ReadDocument[] {
  return texts.map((text) => ({
    counted: countDocument({ text }, of),
    vector: read({ text }).vector,
  }))
}

function match(texts: readonly string[], judged: number, request = 'kestrel viaduct the') {
  const of = readQuery(request)
  const vector = read({ text: request }).vector
  return matchDocuments(readAll(texts, of), judged, { query: of, vector })
}

function count(texts: readonly string[]) {
  return texts.map((text) => countDocument({ text }, query))
}

describe('countDocument', () => {
  it('counts the terms of the query and the length of the whole text', () => {
    const counted = countDocument({ text: 'the kestrel, the kestrel and a heron' }, query)
    expect(counted.length).toBe(7)
    expect(Object.fromEntries(counted.terms.map((term, at) => [term, counted.counts[at]]))).toEqual(
      {
        [query.get('kestrel') ?? -1]: 2,
        [query.get('the') ?? -1]: 2,
      },
    )
    expect(counted.unreadShare).toBe(0)
  })

  it('says what share of a long text it has not read', () => {
    expect(countDocument({ text: ' '.repeat(65_536) }, query).unreadShare).toBe(0)
    expect(countDocument({ text: ' '.repeat(131_072) }, query).unreadShare).toBe(0.5)
  })
})

describe('scoreDocuments', () => {
  it('gives about 1 for one term that no other document has, and less for a common one', () => {
    const texts = [...smallTalk(30), 'we saw a kestrel on the way to our holiday there that day']
    const scores = scoreDocuments(count(texts), query.size)
    expect(scores[30]).toBeGreaterThan(0.9)
    expect(scores[30]).toBeLessThan(1.3)
    expect(scores[3]).toBeLessThan(0.05)
  })

  it('gives 0 where no term of the query stands', () => {
    expect([...scoreDocuments(count(['heron', 'crane']), query.size)]).toEqual([0, 0])
  })

  it('gives a term less in a longer document, and repetition less each time', () => {
    const filler = 'heron crane stork ibis '
    const [short = 0, long = 0] = scoreDocuments(
      count(['kestrel', `kestrel ${filler.repeat(9)}`, filler]),
      query.size,
    )
    expect(short).toBeGreaterThan(long)
    const [once = 0, twice = 0, thrice = 0] = scoreDocuments(
      count([
        'kestrel a b c',
        'kestrel kestrel a b',
        'kestrel kestrel kestrel a',
        'd e f g',
        'h i j k',
      ]),
      query.size,
    )
    expect(twice - once).toBeGreaterThan(1.5 * (thrice - twice))
    expect(thrice).toBeGreaterThan(twice)
  })
})

describe('matchDocuments', () => {
  it('gives one row of all features per judged document', () => {
    const { rows } = match([...smallTalk(8), 'kestrel'], 6)
    expect(rows).toHaveLength(6)
    for (const row of rows) {
      expect(row).toHaveLength(FEATURES.length)
      expect(row.every(Number.isFinite)).toBe(true)
    }
  })

  it('says how near the recent window comes to the best match', () => {
    const column = FEATURES.indexOf('recentMatch')
    const share = (recent: string) =>
      match(['kestrel', ...smallTalk(9), recent], 10, 'kestrel').rows[0]?.[column]
    expect(share('kestrel')).toBeGreaterThan(0.6)
    expect(share('heron')).toBeLessThan(0.3)
    expect(COEFFICIENTS.recentMatch).toBeLessThan(0)
  })

  it('counts for what a request names only the words that name something', () => {
    const texts = [...smallTalk(9), 'please repeat the last answer again', 'a kestrel']
    expect(match(texts, 9, 'please repeat the last answer again').named).toBe(0)
    expect(match(texts, 9, 'please repeat the kestrel answer again').named).toBeGreaterThan(0.9)
    expect(match(texts, 9, 'the heron').named).toBe(0)
  })

  it('sees a likeness of meaning where no word is shared', () => {
    const column = FEATURES.indexOf('standardLikeness')
    const texts = [...smallTalk(9), 'The physician prescribed some pills for her headache.']
    const { rows } = match(texts, 10, 'doctors and medicine')
    const likeness = rows.map((row) => row[column] ?? 0)
    expect(likeness[9]).toBe(Math.max(...likeness))
    expect(likeness[9]).toBeGreaterThan(2)
  })

  it.each([
    [0, 0],
    [1, 1],
    [1, 0],
    [2, 2],
  ])('survives %i documents of which %i are judged', (total, judged) => {
    const { rows } = match(smallTalk(total), judged)
    expect(rows).toHaveLength(judged)
    expect(rows.every((row) => row.every(Number.isFinite))).toBe(true)
  })

  it('gives no document an edge where all are the same', () => {
    const { rows } = match(
      Array.from({ length: 7 }, () => 'the kestrel'),
      7,
    )
    const inner = rows.slice(4, 5)
    for (const name of ['standardLikeness', 'unlike'] as const) {
      expect(inner[0]?.[FEATURES.indexOf(name)]).toBeCloseTo(0, 12)
    }
  })
})

describe('probabilities', () => {
  it('never falls when the match of a document rises', () => {
    const varying = [
      'standardLikeness',
      'standardSurroundings',
      'unlike',
      'share',
      'namedShare',
      'shareIfRecent',
    ] as const
    for (const name of varying) expect(COEFFICIENTS[name]).toBeGreaterThan(0)
  })

  it('is mute where nothing is named and clear from some naming on', () => {
    expect([0, 0.1, 0.2, 0.4, 9].map(clarityOf)).toEqual([0, 0.25, 0.5, 1, 1])
    expect(isMute({ named: 0 })).toBe(true)
    expect(isMute({ named: 0.1 })).toBe(false)
  })

  it('keeps the order of unsure answers and pulls them to one half', () => {
    const texts = ['kestrel', 'heron', 'the crane']
    const { rows } = match(texts, 3)
    const read = readAll(texts, query)
    const clear = probabilities({ rows, named: 0.4 }, read)
    const unsure = probabilities({ rows, named: 0.2 }, read)
    clear.forEach((probability, index) => {
      expect(unsure[index]).toBeCloseTo(0.5 + (probability - 0.5) / 2)
    })
  })

  it('stays a number between 0 and 1 for a request of any length', () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ')
    const texts = [...smallTalk(30), long]
    const found = probabilities(match(texts, texts.length, long), readAll(texts, readQuery(long)))
    expect(found.every((probability) => probability > 0 && probability < 1)).toBe(true)
    expect(found[30]).toBe(Math.max(...found))
  })
})
