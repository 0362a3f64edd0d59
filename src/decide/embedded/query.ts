import type { TermFilter } from './term-filter.ts'
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
 * name people, and people do not name themselves when they speak. `filter`, made of the query's
 * terms, spares most of the work and changes nothing else.
 */
export function countDocument(
  document: SpokenText,
  query: Query,
  filter?: TermFilter,
): CountedDocument {
  const found = new Map<number, number>()
  const visit = (term: string): void => {
    const id = query.get(term)
    if (id !== undefined) found.set(id, (found.get(id) ?? 0) + 1)
  }
  const speaker = readBounded(document.speaker ?? '', visit, filter)
  const text = readBounded(document.text, visit, filter)
  return {
    length: speaker.terms + text.terms,
    terms: [...found.keys()],
    counts: [...found.values()],
    unreadShare: text.unreadShare,
  }
}

interface Read {
  readonly terms: number
  /** Share of the text that was not read. */
  readonly unreadShare: number
}

/** Visits the terms of the part of a text that is read. */
function readBounded(text: string, visit: (term: string) => void, filter?: TermFilter): Read {
  const unread = text.length - HEAD_LENGTH - TAIL_LENGTH
  if (unread <= 0) return { terms: forEachTerm(text, visit, filter), unreadShare: 0 }
  const head = forEachTerm(text.slice(0, HEAD_LENGTH), visit, filter)
  const tail = forEachTerm(text.slice(text.length - TAIL_LENGTH), visit, filter)
  return { terms: head + tail, unreadShare: unread / text.length }
}
