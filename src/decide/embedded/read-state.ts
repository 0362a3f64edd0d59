/** What the model reads of a request and its conversation. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DecisionDocument, DecisionState } from '../../engine/ports.ts'
import {
  countPassage,
  indexQuery,
  type PassageDigest,
  type QueryIndex,
  sumCounts,
  type TextDigest,
} from './digest.ts'
import type { DigestCache } from './digest-cache.ts'
import { asksForFailure, FAILURE_WORDS } from './failure-words.ts'
import type { ReadDocument } from './features.ts'
import { hashTerm } from './hash-term.ts'
import type { Query } from './query.ts'
import type { ReadEntry } from './session-features.ts'
import { readToolCall } from './tool-call.ts'

/** Code units read between two turns of the event loop: about 5 ms of work. */
const CHUNK_LENGTH = 65_536

export interface ReadState {
  /** The judged documents, and after them the recent ones. */
  readonly entries: readonly ReadEntry[]
  readonly judged: number
  /** The newest message is the result of a tool: the request lies behind, and is worked on. */
  readonly isUnderWay: boolean
}

/** Undefined when the signal was aborted. */
export async function readState(
  state: DecisionState,
  query: Query,
  cache: DigestCache,
  signal: AbortSignal,
): Promise<ReadState | undefined> {
  const index = indexQuery(query)
  const failures = asksForFailure(query) ? failureHashes() : undefined
  const entries: ReadEntry[] = []
  let sinceTurn = 0
  for (const document of [...state.documents, ...recentDocuments(state)]) {
    entries.push(readEntry(document, cache.digestOf(document), index, failures))
    sinceTurn += document.text.length
    if (sinceTurn < CHUNK_LENGTH) continue
    sinceTurn = 0
    await nextTurn()
    if (signal.aborted) return undefined
  }
  const isUnderWay = state.recent.at(-1)?.role === 'tool'
  return { entries, judged: state.documents.length, isUnderWay }
}

/** The recent window without what is judged anyway and without the request itself. */
export function recentDocuments(state: DecisionState): DecisionDocument[] {
  const judged = new Set(state.documents.map((document) => document.id))
  const request = (state.fields.current_request ?? '').trim()
  return state.recent.filter(({ id, text }) => !judged.has(id) && text.trim() !== request)
}

export function readEntry(
  { role, text }: Pick<DecisionDocument, 'role' | 'text'>,
  digest: TextDigest,
  index: QueryIndex,
  failures?: ReadonlySet<number>,
): ReadEntry {
  const read = readPassages(digest, index)
  if (role !== 'tool') return { ...read, role }
  const call = readToolCall(text)
  const hasFailed = failures !== undefined && digest.passages.some((one) => hasAny(one, failures))
  return { ...read, role, hasFailed, ...(call !== undefined && { call }) }
}

function readPassages(
  { passages, vector, unreadShare }: TextDigest,
  index: QueryIndex,
): ReadDocument & { readonly passages?: readonly ReadDocument[] } {
  const [only] = passages
  if (only !== undefined && passages.length === 1) {
    return { counted: countPassage(only, index, unreadShare), vector }
  }
  const read = passages.map((passage) => ({
    counted: countPassage(passage, index, unreadShare),
    vector: passage.vector,
  }))
  return { counted: sumCounts(read, unreadShare), vector, passages: read }
}

function hasAny({ hashes }: PassageDigest, wanted: ReadonlySet<number>): boolean {
  return hashes.some((hash) => wanted.has(hash))
}

let hashedFailures: ReadonlySet<number> | undefined

function failureHashes(): ReadonlySet<number> {
  hashedFailures ??= new Set([...FAILURE_WORDS].map(hashTerm))
  return hashedFailures
}
