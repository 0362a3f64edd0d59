/**
 * BM25 of each turn alone (k1 1.2, b 0.75), with the speaker's name in the text and no other thought:
 * the textbook search that the model must beat. It shares the model's stemmer and nothing else of it.
 */
import { stem } from '../../src/decide/embedded/stem.ts'
import { type JudgedCase, type LabelledCase, PROTECT_RECENT } from './labelled-case.ts'

const K1 = 1.2
const B = 0.75

export function judgeByBm25(labelled: LabelledCase): JudgedCase {
  const documents = labelled.turns.map(({ text, speaker = '' }) => termsOf(`${speaker} ${text}`))
  const scores = scoreByBm25(documents, termsOf(labelled.request))
  return { labelled, scores: scores.slice(0, -PROTECT_RECENT) }
}

/** One score per document: the sum over the query's distinct terms. */
export function scoreByBm25(
  documents: readonly (readonly string[])[],
  query: readonly string[],
): number[] {
  const terms = [...new Set(query)]
  const meanLength =
    documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const counts = documents.map((document) => {
    const count = new Map<string, number>()
    for (const term of document) count.set(term, (count.get(term) ?? 0) + 1)
    return count
  })
  const rarity = new Map(
    terms.map((term) => {
      const holding = counts.filter((count) => count.has(term)).length
      return [term, Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))]
    }),
  )
  return documents.map((document, index) =>
    terms.reduce((sum, term) => {
      const count = counts[index]?.get(term) ?? 0
      const norm = K1 * (1 - B + (B * document.length) / meanLength)
      return sum + ((rarity.get(term) ?? 0) * count * (K1 + 1)) / (count + norm)
    }, 0),
  )
}

const cache = new Map<string, readonly string[]>()

function termsOf(text: string): readonly string[] {
  const known = cache.get(text)
  if (known !== undefined) return known
  const terms = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stem(word))
  cache.set(text, terms)
  return terms
}
