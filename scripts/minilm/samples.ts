import type { Sample } from '../../eval/embedded-model/fit-logistic.ts'
import {
  documentsOf,
  type LabelledCase,
  PROTECT_RECENT,
} from '../../eval/embedded-model/labelled-case.ts'
import { indexQuery } from '../../src/decide/embedded/digest.ts'
import { createDigestCache } from '../../src/decide/embedded/digest-cache.ts'
import { defaultEmbedder } from '../../src/decide/embedded/embed.ts'
import { type Matches, matchDocuments } from '../../src/decide/embedded/features.ts'
import { CLEARLY_NAMED } from '../../src/decide/embedded/probability.ts'
import { readQuery } from '../../src/decide/embedded/query.ts'
import { readEntry } from '../../src/decide/embedded/read-state.ts'
import type { VectorOf } from './read-vectors.ts'

const digests = createDigestCache(defaultEmbedder, 512 * 1024 * 1024)

/** What the tier sees of each turn outside the recent window. */
export function matchesOf(labelled: LabelledCase, vectorOf: VectorOf): Matches {
  const query = readQuery(labelled.request)
  const index = indexQuery(query)
  const read = documentsOf(labelled).map((document) => ({
    counted: readEntry(document, digests.digestOf(document), index).counted,
    vector: { values: vectorOf(document), length: 1 },
  }))
  const request = { query, vector: { values: vectorOf({ text: labelled.request }), length: 1 } }
  return matchDocuments(read, read.length - PROTECT_RECENT, request)
}

/** Requests that name too little are left out: their answers are pulled towards "don't know" anyway. */
export function samplesOf(
  cases: readonly LabelledCase[],
  weight: number,
  vectorOf: VectorOf,
): Sample[] {
  return cases.flatMap((labelled) => {
    const { rows, named } = matchesOf(labelled, vectorOf)
    if (named < CLEARLY_NAMED) return []
    return rows.map((row, index) => ({ row, needed: labelled.turns[index]!.needed, weight }))
  })
}
