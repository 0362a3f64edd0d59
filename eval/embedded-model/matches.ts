import { indexQuery } from '../../src/decide/embedded/digest.ts'
import { createDigestCache } from '../../src/decide/embedded/digest-cache.ts'
import { defaultEmbedder } from '../../src/decide/embedded/embed.ts'
import { asksForFailure, FAILURE_WORDS } from '../../src/decide/embedded/failure-words.ts'
import { type Matches, matchDocuments } from '../../src/decide/embedded/features.ts'
import { hashTerm } from '../../src/decide/embedded/hash-term.ts'
import { readQuery } from '../../src/decide/embedded/query.ts'
import { readEntry } from '../../src/decide/embedded/read-state.ts'
import { matchErrand, matchWork } from '../../src/decide/embedded/session-features.ts'
import { documentsOf, type LabelledCase, recentOf } from './labelled-case.ts'

const cache = createDigestCache(defaultEmbedder, 512 * 1024 * 1024)
const failures = new Set([...FAILURE_WORDS].map(hashTerm))

function readCase(labelled: LabelledCase) {
  const query = readQuery(labelled.request)
  const index = indexQuery(query)
  const wanted = asksForFailure(query) ? failures : undefined
  const entries = documentsOf(labelled).map((document) =>
    readEntry(document, cache.digestOf(document), index, wanted),
  )
  const request = { query, vector: cache.digestOf({ text: labelled.request }).vector }
  return { entries, judged: entries.length - recentOf(labelled), request }
}

/** What the model sees of each judged turn: in a conversation without tools, */
export function matchesOf(labelled: LabelledCase): Matches {
  const { entries, judged, request } = readCase(labelled)
  return matchDocuments(entries, judged, request)
}

/** in a session with a new request, */
export function errandMatchesOf(labelled: LabelledCase): Matches {
  const { entries, judged, request } = readCase(labelled)
  return matchErrand(entries, judged, request)
}

/** and in one where the work goes on. */
export function workRowsOf(labelled: LabelledCase): Matches['rows'] {
  const { entries, judged } = readCase(labelled)
  return matchWork(entries, judged)
}
