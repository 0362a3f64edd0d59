import type { Entry } from '../../engine/transcript.ts'

/**
 * Numbers of the entries behind which a client has asked for an answer: what the assistant says next
 * is that answer. The last entry always is one. Ascending.
 */
export function* requestPoints(entries: readonly Pick<Entry, 'role'>[]): Generator<number> {
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]
    if (next === undefined || (next.role === 'assistant' && entry.role !== 'assistant')) yield index
  }
}
