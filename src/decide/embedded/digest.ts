/**
 * What is read of a message once and serves every request: its passages, of each the distinct terms as
 * hashes, how often each stands, and the vector.
 */
import { type ChunkNumbers, createChunkReader } from './chunk-reader.ts'
import type { Embedder } from './embed.ts'
import { hashTerm } from './hash-term.ts'
import { forEachPassage } from './passages.ts'
import type { CountedDocument, Query } from './query.ts'
import { readBounded, type SpokenText } from './read-bounded.ts'
import { WIDTH } from './static-table.ts'
import { createTermCounter } from './term-counter.ts'
import { forEachTerm } from './terms.ts'
import { type TextVector, toVector } from './text-vector.ts'

export interface PassageDigest {
  /** Terms of the passage, each as often as it stands. */
  readonly length: number
  /** Distinct terms and how often each stands; the two run in parallel. */
  readonly hashes: readonly number[]
  readonly counts: readonly number[]
  readonly vector: TextVector
}

export interface TextDigest {
  readonly passages: readonly PassageDigest[]
  /** Sum of the passages' vectors. */
  readonly vector: TextVector
  /** Share of the text that was not read, 0 to 1. */
  readonly unreadShare: number
}

/** Numbers of a query's terms by their hashes. */
export interface QueryIndex {
  readonly ids: ReadonlyMap<number, number>
  /** By the low bits of a hash: 0 where no term has them, so that most are not looked up. */
  readonly mayHave: Uint8Array
}

const LOW_BITS = 2 ** 12 - 1

export function indexQuery(query: Query): QueryIndex {
  const ids = new Map<number, number>()
  const mayHave = new Uint8Array(LOW_BITS + 1)
  for (const [term, id] of query) {
    const hash = hashTerm(term)
    ids.set(hash, id)
    mayHave[hash & LOW_BITS] = 1
  }
  return { ids, mayHave }
}

export type ReadDigest = (document: SpokenText) => TextDigest

/** Reads texts with the vectors of one embedder. */
export function createDigestReader(embedder: () => Embedder): ReadDigest {
  const counter = createTermCounter()
  const sum = new Float64Array(WIDTH)
  const read = createChunkReader((chunk, numbers) => {
    forEachTerm(chunk, (term) => numbers.terms.push(hashTerm(term)))
    embedder().read(chunk, numbers)
  })
  const numbers: ChunkNumbers = { terms: [], pieces: [], foreign: [] }

  /** The speaker's name is part of what is said: requests name people. */
  const readPassage = (speaker: string, text: string): PassageDigest => {
    for (const list of Object.values(numbers)) list.length = 0
    read(speaker, numbers)
    read(text, numbers)
    for (const hash of numbers.terms) counter.add(hash)
    sum.fill(0)
    embedder().add(numbers, sum)
    return { length: numbers.terms.length, ...counter.take(), vector: toVector(sum) }
  }

  return (document) => {
    const passages: PassageDigest[] = []
    let speaker = document.speaker ?? ''
    const unreadShare = readBounded(document.text, (part) => {
      forEachPassage(part, (text) => {
        passages.push(readPassage(speaker, text))
        speaker = ''
      })
    })
    const [only] = passages
    const vector = passages.length === 1 && only !== undefined ? only.vector : sumVectors(passages)
    return { passages, vector, unreadShare }
  }
}

function sumVectors(passages: readonly PassageDigest[]): TextVector {
  const total = new Float64Array(WIDTH)
  for (const { vector } of passages) {
    for (let column = 0; column < WIDTH; column += 1) {
      total[column] = (total[column] as number) + (vector.values[column] as number)
    }
  }
  return toVector(total)
}

/** How often the query's terms stand in a passage. */
export function countPassage(
  { length, hashes, counts }: PassageDigest,
  { ids, mayHave }: QueryIndex,
  unreadShare: number,
): CountedDocument {
  const terms: number[] = []
  const found: number[] = []
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at] as number
    if (mayHave[hash & LOW_BITS] === 0) continue
    const id = ids.get(hash)
    if (id === undefined) continue
    terms.push(id)
    found.push(counts[at] as number)
  }
  return { length, terms, counts: found, unreadShare }
}

/** The same for a text of several passages. */
export function sumCounts(
  passages: readonly { readonly counted: CountedDocument }[],
  unreadShare: number,
): CountedDocument {
  const found = new Map<number, number>()
  let length = 0
  for (const { counted } of passages) {
    length += counted.length
    for (const [at, term] of counted.terms.entries()) {
      found.set(term, (found.get(term) ?? 0) + (counted.counts[at] ?? 0))
    }
  }
  return { length, terms: [...found.keys()], counts: [...found.values()], unreadShare }
}
