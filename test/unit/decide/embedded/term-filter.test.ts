import { describe, expect, it } from 'vitest'
import { countDocument, readQuery } from '../../../../src/decide/embedded/query.ts'
import { stem } from '../../../../src/decide/embedded/stem.ts'
import { createTermFilter, type TermFilter } from '../../../../src/decide/embedded/term-filter.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'

const ENDINGS =
  's es ies ied ing ed ization ation ment ness tion sion ly e y sses xes shes ches ings lies'.split(
    ' ',
  )
const PIECES =
  "a b c y z A Z 0 9 _ - . / : @ # ' ’ , ( ) é É ß İ K ſ ﬁ 中 文 か ก 한 \u0301 \u030c 😀 \ud800 Ж Ω ² getUserName HTTPServer ies ing planned xes"
    .split(' ')
    .concat(' ', '\n')

function admits(filter: TermFilter, word: string): boolean {
  const unit = (index: number): number => (index < word.length ? word.charCodeAt(index) : 0)
  return filter(unit(0), unit(1), unit(2))
}

describe('createTermFilter', () => {
  it('admits every word whose stem is a term, whatever ending it has', () => {
    const letters = 'aeiysxhcdngltm'
    const beginnings = [...letters].flatMap((first) =>
      ['', ...letters].flatMap((second) => ['', ...letters].map((third) => first + second + third)),
    )
    const ruledOut = beginnings
      .flatMap((beginning) => ENDINGS.map((ending) => beginning + ending))
      .filter((word) => !admits(createTermFilter([stem(word)]), word))
    expect(ruledOut).toEqual([])
  })

  it('rules out most words that are no term', () => {
    const filter = createTermFilter(['kestrel', 'viaduct'])
    const words = 'the quick brown fox jumps over a lazy dog and reads this file'.split(' ')
    expect(words.filter((word) => admits(filter, word))).toEqual([])
  })
})

describe('countDocument with a filter', () => {
  it('counts what it counts without one', () => {
    const random = createSeededRandom(11)
    const text = (length: number): string =>
      Array.from({ length: 1 + random.below(length) }, () => random.pick(PIECES)).join('')
    for (let round = 0; round < 2_000; round += 1) {
      const document = { text: text(30) }
      const query = readQuery(`${text(12)} ${document.text.slice(0, 6)}`)
      const filter = createTermFilter(query.keys())
      expect(countDocument(document, query, filter)).toEqual(countDocument(document, query))
    }
  })
})
