import { describe, expect, it } from 'vitest'
import { scoreDocuments } from '../../../../src/decide/embedded/bm25.ts'
import { COEFFICIENTS } from '../../../../src/decide/embedded/coefficients.ts'
import { FEATURES, matchDocuments } from '../../../../src/decide/embedded/features.ts'
import { clarityOf, probabilities } from '../../../../src/decide/embedded/probability.ts'
import { countDocument, readQuery } from '../../../../src/decide/embedded/query.ts'
import { smallTalk } from './helpers.ts'

const query = readQuery('kestrel viaduct the')

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
    const { rows } = matchDocuments(count([...smallTalk(8), 'kestrel']), 6, query.size)
    expect(rows).toHaveLength(6)
    for (const row of rows) {
      expect(row).toHaveLength(FEATURES.length)
      expect(row.every(Number.isFinite)).toBe(true)
    }
  })

  it('says how near the recent window comes to the best match', () => {
    const column = FEATURES.indexOf('recentShare')
    const share = (recent: string) =>
      matchDocuments(count([...smallTalk(9), 'kestrel', recent]), 10, query.size).rows[0]?.[column]
    expect(share('kestrel')).toBeGreaterThan(0.99)
    expect(share('heron')).toBeLessThan(0.6)
    expect(COEFFICIENTS.recentShare).toBeLessThan(0)
  })

  it.each([
    [0, 0],
    [1, 1],
    [1, 0],
    [2, 2],
  ])('survives %i documents of which %i are judged', (total, judged) => {
    const { rows } = matchDocuments(count(smallTalk(total)), judged, query.size)
    expect(rows).toHaveLength(judged)
    expect(rows.every((row) => row.every(Number.isFinite))).toBe(true)
  })
})

describe('probabilities', () => {
  it('never falls when the match of a document rises', () => {
    const varying = ['logMatch', 'standardMatch', 'match', 'shareOfBest'] as const
    for (const name of varying) expect(COEFFICIENTS[name]).toBeGreaterThan(0)
  })

  it('is unsure below a strength and clear above another', () => {
    expect([0, 0.4, 0.6, 0.8, 9].map(clarityOf)).toEqual([0, 0, expect.closeTo(0.5), 1, 1])
  })

  it('keeps the order of unsure answers and pulls them to one half', () => {
    const counted = count(['kestrel', 'heron', 'the crane'])
    const { rows } = matchDocuments(counted, 3, query.size)
    const clear = probabilities({ rows, strength: 0.8 }, counted)
    const unsure = probabilities({ rows, strength: 0.6 }, counted)
    const mute = probabilities({ rows, strength: 0.2 }, counted)
    clear.forEach((probability, index) => {
      expect(unsure[index]).toBeCloseTo(0.5 + (probability - 0.5) / 2)
    })
    expect(mute).toEqual([0.5, 0.5, 0.5])
  })

  it('stays a number between 0 and 1 for a request of any length', () => {
    const long = readQuery(Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' '))
    const texts = [...smallTalk(30), Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ')]
    const counted = texts.map((text) => countDocument({ text }, long))
    const found = probabilities(matchDocuments(counted, counted.length, long.size), counted)
    expect(found.every((probability) => probability > 0 && probability < 1)).toBe(true)
    expect(found[30]).toBe(Math.max(...found))
  })
})
