import { forEachTerm } from './terms.ts'

/**
 * Code units of one text that are read: its beginning and its end. Bounds the work for a document,
 * whatever it holds; `unreadShare` says what was passed over.
 */
const HEAD_LENGTH = 49_152
const TAIL_LENGTH = 16_384

/** Distinct terms of the current request, numbered in order of appearance. */
export type Query = ReadonlyMap<string, number>

/** How often the query's terms stand in one document. `terms` and `counts` run in parallel. */
export interface CountedDocument {
  /** Terms of the document, those that the query does not have included. */
  readonly length: number
  readonly terms: readonly number[]
  readonly counts: readonly number[]
  /** Share of the text that was not read, 0 to 1. */
  readonly unreadShare: number
}

interface SpokenText {
  readonly speaker?: string
  readonly text: string
}

export function readQuery(request: string): Query {
  const query = new Map<string, number>()
  readBounded(request, (term) => {
    if (!query.has(term)) query.set(term, query.size)
  })
  return query
}

/**
 * Counts the query's terms in a document. The speaker's name is part of what is scored: requests
 * name people, and people do not name themselves when they speak.
 */
export function countDocument(document: SpokenText, query: Query): CountedDocument {
  const found = new Map<number, number>()
  let length = 0
  const visit = (term: string): void => {
    length += 1
    const id = query.get(term)
    if (id !== undefined) found.set(id, (found.get(id) ?? 0) + 1)
  }
  if (document.speaker !== undefined) readBounded(document.speaker, visit)
  const unreadShare = readBounded(document.text, visit)
  return { length, terms: [...found.keys()], counts: [...found.values()], unreadShare }
}

/** Visits the terms of the part of a text that is read; returns the share that is not. */
function readBounded(text: string, visit: (term: string) => void): number {
  const unread = text.length - HEAD_LENGTH - TAIL_LENGTH
  if (unread <= 0) {
    forEachTerm(text, visit)
    return 0
  }
  forEachTerm(text.slice(0, HEAD_LENGTH), visit)
  forEachTerm(text.slice(text.length - TAIL_LENGTH), visit)
  return unread / text.length
}
