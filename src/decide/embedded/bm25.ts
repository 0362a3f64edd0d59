import type { CountedDocument } from './query.ts'

/** The usual constants of BM25. Others were tried on MT-Bench-101 composites and changed little. */
const K1 = 1.2
const B = 0.75

/**
 * Power of the inverse document frequency. 2 instead of 1 gives rare terms more of the say, which
 * takes the place of a list of stop words: on held-out composites it ranks better than 1 or 1.5.
 */
const RARITY_POWER = 2

export interface TermWeights {
  /** By number of the term; 0 for one that is not `counted`. */
  readonly weight: Float64Array
  /** Terms of a document. */
  readonly averageLength: number
}

/** What each of a query's terms is worth in a conversation: the more, the fewer of its documents have it. */
export function termWeights(
  documents: readonly CountedDocument[],
  queryTerms: number,
  counted?: ReadonlySet<number>,
): TermWeights {
  const total = documents.length
  const frequency = new Uint32Array(queryTerms)
  let lengths = 0
  for (const document of documents) {
    lengths += document.length
    for (const term of document.terms) frequency[term] = (frequency[term] ?? 0) + 1
  }
  const weight = Float64Array.from(frequency, (found, term) =>
    counted?.has(term) === false ? 0 : rarity(found, total),
  )
  return { weight, averageLength: Math.max(1, lengths / Math.max(1, total)) }
}

/**
 * BM25 of every document for the query, or for those of its terms that are `counted`, in units of the weight of a term that stands in one document
 * only: a score of 1 is about one such term, once, in a document of average length.
 */
export function scoreDocuments(
  documents: readonly CountedDocument[],
  queryTerms: number,
  counted?: ReadonlySet<number>,
): Float64Array {
  const { weight, averageLength } = termWeights(documents, queryTerms, counted)
  return Float64Array.from(documents, (document) => scoreDocument(document, weight, averageLength))
}

export function scoreDocument(
  document: CountedDocument,
  weight: Float64Array,
  averageLength: number,
): number {
  const dampening = K1 * (1 - B + (B * document.length) / averageLength)
  let score = 0
  for (let index = 0; index < document.terms.length; index += 1) {
    const count = document.counts[index] ?? 0
    const term = document.terms[index] ?? 0
    score += ((weight[term] ?? 0) * count * (K1 + 1)) / (count + dampening)
  }
  return score
}

/** 1 for a term that stands in one document, near 0 for one that stands in nearly all. */
function rarity(found: number, total: number): number {
  if (found === 0) return 0
  return (inverseFrequency(found, total) / inverseFrequency(1, total)) ** RARITY_POWER
}

function inverseFrequency(found: number, total: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5))
}
