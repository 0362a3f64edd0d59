import { defaultEmbedder } from '../../src/decide/embedded/embed.ts'
import { type Matches, matchDocuments } from '../../src/decide/embedded/features.ts'
import { countDocument, readQuery } from '../../src/decide/embedded/query.ts'
import { createVectorCache } from '../../src/decide/embedded/vector-cache.ts'
import { documentsOf, type LabelledCase, PROTECT_RECENT } from './labelled-case.ts'

const vectors = createVectorCache(defaultEmbedder, 64 * 1024 * 1024)

/** What the model sees of each turn outside the recent window. */
export function matchesOf(labelled: LabelledCase): Matches {
  const query = readQuery(labelled.request)
  const read = documentsOf(labelled).map((document) => ({
    counted: countDocument(document, query),
    vector: vectors.vectorOf(document),
  }))
  const request = { query, vector: vectors.vectorOf({ text: labelled.request }) }
  return matchDocuments(read, read.length - PROTECT_RECENT, request)
}
