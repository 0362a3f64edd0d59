/** Links between messages beyond those of calls and results, which pairing makes. */
import type { DraftEntry } from '../draft.ts'

/** A call must have its result before the next such message (the SDK's MissingToolResultsError). */
export function closesExchanges(entry: DraftEntry | undefined): boolean {
  return entry?.role === 'user' || entry?.role === 'instructions'
}

/** Number of the first entry behind the last message that closes an exchange. */
export function startOfTail(entries: readonly DraftEntry[]): number {
  let index = entries.length
  while (index > 0 && !closesExchanges(entries[index - 1])) index -= 1
  return index
}

/**
 * Neighbouring assistant messages are one turn for the providers behind the SDK: where it holds
 * thinking or parts that nobody here knows, they stay together, so that no thinking is left alone.
 */
export function linkTurns(entries: readonly DraftEntry[]): void {
  let start = 0
  for (const [index, { role }] of entries.entries()) {
    if (role !== 'assistant') {
      start = index + 1
    } else if (entries[index + 1]?.role !== 'assistant') {
      const turn = entries.slice(start, index + 1)
      if (turn.length > 1 && turn.some(mustStayWhole)) share(`turn:${start}`, turn)
    }
  }
}

/** Nothing may come between a call that waits and the end: a user's message would close it. */
export function linkWaiting(entries: readonly DraftEntry[]): void {
  const tail = entries.slice(startOfTail(entries))
  const first = tail.findIndex(({ unresolvedCalls }) => unresolvedCalls.length > 0)
  if (first !== -1 && first < tail.length - 1) share('waiting', tail.slice(first))
}

export function share(label: string, entries: readonly DraftEntry[]): void {
  for (const { links } of entries) links.push(label)
}

function mustStayWhole({ parts }: DraftEntry): boolean {
  return parts.some(({ kind }) => kind === 'reasoning' || kind === 'opaque')
}
