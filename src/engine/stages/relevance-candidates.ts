/** Who may be asked about: only what can go without corrupting the request. */
import { isPlaceholder } from '../marker.ts'
import { type Candidate, documentId } from '../questions/relevance.ts'
import type { StageInput } from '../stage.ts'
import { type Entry, entryText, type Part } from '../transcript.ts'

/** In conversation order. */
export function collectCandidates(input: StageInput): Candidate[] {
  const withExchanges = input.options.relevance.toolExchanges !== 'keep'
  const candidates: Candidate[] = []
  const reported = new Set<number>()
  for (const entry of input.transcript.entries) {
    if (!input.state.isAlive(entry.index) || reported.has(entry.index)) continue
    if (isEligible(entry, input)) {
      candidates.push(messageCandidate(entry))
      continue
    }
    if (!withExchanges) continue
    const exchange = exchangeOf(entry, input)
    if (exchange === undefined) continue
    for (const member of exchange) reported.add(member.index)
    candidates.push(exchangeCandidate(exchange))
  }
  return candidates
}

function isEligible(entry: Entry, input: StageInput): boolean {
  const { flags } = entry
  return (
    (entry.role === 'user' || entry.role === 'assistant') &&
    input.protection.level(entry.index) === 'free' &&
    entry.links.length === 0 &&
    entry.parts.every((part) => part.kind === 'text') &&
    entry.parts.some((part) => part.text.trim() !== '') &&
    flags.summary !== true &&
    flags.skill !== true &&
    flags.marker !== true &&
    flags.condensed !== true &&
    flags.events !== true
  )
}

/**
 * A completed exchange that begins with this entry: its call, all its results, and, where it would
 * be dropped, the plain assistant text right after it. Evidence and the claim that rests on it are
 * judged together: a report without its evidence invites the next one to be invented.
 */
function exchangeOf(entry: Entry, input: StageInput): Entry[] | undefined {
  const { entries } = input.transcript
  const group = input.groups.members.get(input.groups.of[entry.index] ?? -1) ?? []
  if (group.length < 2 || group[0] !== entry.index) return undefined
  const members = group.flatMap((index) => entries[index] ?? [])
  const isComplete = members.every(
    (member) =>
      input.state.isAlive(member.index) &&
      input.protection.level(member.index) === 'free' &&
      member.flags.events !== true &&
      member.unresolvedCalls.length === 0,
  )
  if (!isComplete || !members.some(hasResult)) return undefined
  if (input.options.relevance.toolExchanges !== 'drop') {
    return members.some((member) => member.parts.some(isClearable)) ? members : undefined
  }
  const last = group[group.length - 1] ?? entry.index
  const after = entries[last + 1]
  return after !== undefined && after.role === 'assistant' && isEligible(after, input)
    ? [...members, after]
    : members
}

function hasResult(entry: Entry): boolean {
  return entry.parts.some((part) => part.kind === 'tool-result')
}

/** Whether a part is a tool result that a line can take the place of, and none has yet. */
export function isClearable(part: Part): boolean {
  return part.kind === 'tool-result' && part.rewritable && !isPlaceholder(part.text)
}

function messageCandidate(entry: Entry): Candidate {
  return {
    entries: [entry.index],
    document: {
      id: documentId(entry.index),
      role: entry.role,
      text: entryText(entry),
      ...(entry.speaker !== undefined && { speaker: entry.speaker }),
    },
  }
}

function exchangeCandidate(members: readonly Entry[]): Candidate {
  return {
    entries: members.map((member) => member.index),
    document: {
      id: documentId(members[0]?.index ?? 0),
      role: 'tool',
      text: members.map(entryText).join('\n'),
    },
  }
}
