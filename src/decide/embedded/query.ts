import { readBounded, type SpokenText } from './read-bounded.ts'
import { forEachTerm } from './terms.ts'

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

export function readQuery(request: string): Query {
  const query = new Map<string, number>()
  const visit = (term: string): void => {
    if (!query.has(term)) query.set(term, query.size)
  }
  readBounded(request, (part) => forEachTerm(part, visit))
  return query
}

/**
 * Counts the query's terms in a document. The speaker's name is part of what is scored: requests
 * name people, and people do not name themselves when they speak.
 */
export function countDocument(document: SpokenText, query: Query): CountedDocument {
  const found = new Map<number, number>()
  const visit = (term: string): void => {
    const id = query.get(term)
    if (id !== undefined) found.set(id, (found.get(id) ?? 0) + 1)
  }
  let length = 0
  const read = (part: string): void => {
    length += forEachTerm(part, visit)
  }
  readBounded(document.speaker ?? '', read)
  const unreadShare = readBounded(document.text, read)
  return { length, terms: [...found.keys()], counts: [...found.values()], unreadShare }
}
