import type { JsonValue } from '../../engine/transcript.ts'
import { type DraftEntry, NO_FLAGS } from '../draft.ts'
import { isRecord } from '../json.ts'
import { isDirective } from './blocks.ts'

/**
 * Links beyond those of calls and results. The API joins neighbouring messages of one role into one
 * turn: where such a turn of an assistant holds thinking, or server tools and their results, its
 * messages stay together. A system message between the turns must stand after a user's and before an
 * assistant's message, so its neighbours stay with it, and one that is an old marker of ours is a message
 * like others there: a new marker would stand elsewhere. Results that answer nothing keep the message
 * before them: without it they would stand behind the text of the user's turn before.
 */
export function linkTurns(entries: readonly DraftEntry[], messages: readonly JsonValue[]): void {
  for (let start = 0; start < entries.length; ) {
    const end = endOfRun(entries, start)
    const run = entries.slice(start, end)
    const role = entries[start]?.role
    if (role === 'assistant' && run.length > 1 && run.some(mustStayWhole)) {
      for (const entry of run) entry.links.push(`turn:${start}`)
    }
    for (const entry of role === 'tool' ? run : []) {
      const before = entries[entry.index - 1]
      if (before === undefined || entry.links.length > 0) continue
      for (const { links } of [before, entry]) links.push(`after:${entry.index}`)
    }
    const speaks = run.some(({ index }) => !setsOptionsOnly(messages[index]))
    if (role === 'instructions' && start > 0 && speaks) {
      for (const entry of entries.slice(start - 1, end + 1)) {
        entry.links.push(`system:${start}`)
        if (entry.flags.marker === true) entry.flags = NO_FLAGS
      }
    }
    start = end
  }
}

function setsOptionsOnly(message: JsonValue | undefined): boolean {
  return isRecord(message) && isDirective(message)
}

/** The last turn of the assistant, if nothing but results and instructions follows it. */
export function startOfPendingTurn(entries: readonly DraftEntry[]): number {
  let index = entries.length - 1
  while (index >= 0 && mayFollowPendingCall(entries[index])) index -= 1
  while (index > 0 && entries[index]?.role === 'assistant') {
    if (entries[index - 1]?.role !== 'assistant') break
    index -= 1
  }
  return Math.max(0, index)
}

function mayFollowPendingCall(entry: DraftEntry | undefined): boolean {
  if (entry?.role === 'instructions') return true
  return entry?.role === 'tool' && entry.parts.every(({ kind }) => kind === 'tool-result')
}

function endOfRun(entries: readonly DraftEntry[], start: number): number {
  let end = start + 1
  while (end < entries.length && entries[end]?.role === entries[start]?.role) end += 1
  return end
}

function mustStayWhole(entry: DraftEntry): boolean {
  return entry.parts.some(({ kind }) => kind === 'reasoning' || kind === 'opaque')
}
