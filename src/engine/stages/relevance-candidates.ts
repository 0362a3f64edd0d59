/** Who may be asked about: only what can go without corrupting the request. */
import { spokenEntry } from '../plain-answer.ts'
import { type Candidate, documentId } from '../questions/relevance.ts'
import type { StageInput } from '../stage.ts'
import { type Entry, entryText } from '../transcript.ts'
import { createExchangeReader, type Exchange } from './relevance-exchanges.ts'

/** A message with the reasoning that is linked to nothing else, or a whole tool exchange. */
export interface RelevanceCandidate extends Candidate {
  readonly exchange?: Exchange
}

/** In conversation order. Cost: linear in entries and parts. */
export function collectCandidates(input: StageInput): RelevanceCandidate[] {
  const { entries } = input.transcript
  const plainMessageAt = (index: number): Entry | undefined => {
    const members = input.groups.members.get(index)
    return members === undefined ? undefined : eligibleMessage(members, input)
  }
  const exchangeOf =
    input.options.relevance.toolExchanges === 'keep'
      ? undefined
      : createExchangeReader(input, plainMessageAt)
  const candidates: RelevanceCandidate[] = []
  const reported = new Set<number>()
  for (const [index, members] of input.groups.members) {
    if (reported.has(index)) continue
    const message = plainMessageAt(index)
    if (message !== undefined) {
      candidates.push(messageCandidate(members, message))
      continue
    }
    const exchange = exchangeOf?.(members)
    if (exchange === undefined) continue
    for (const report of exchange.reports) reported.add(report)
    candidates.push(exchangeCandidate(exchange, entries))
  }
  return candidates
}

/**
 * The message of a group that may be judged. Reasoning that is linked to it, and to nothing else,
 * goes with it: what the answer says decides.
 */
function eligibleMessage(members: readonly number[], input: StageInput): Entry | undefined {
  const { state, protection, transcript } = input
  const entry = spokenEntry(members, transcript.entries)
  if (entry === undefined || !isPlainText(entry)) return undefined
  // A label that nothing else bears says that the adapter knows more of this message than we do.
  if (members.length === 1 && entry.links.length > 0) return undefined
  if (members.length > 1 && entry.role !== 'assistant') return undefined
  const isFree = members.every(
    (index) => state.isAlive(index) && protection.level(index) === 'free',
  )
  return isFree ? entry : undefined
}

function isPlainText({ role, parts, flags }: Entry): boolean {
  return (
    (role === 'user' || role === 'assistant') &&
    parts.every((part) => part.kind === 'text') &&
    parts.some((part) => part.text.trim() !== '') &&
    flags.summary !== true &&
    flags.skill !== true &&
    flags.marker !== true &&
    flags.condensed !== true &&
    flags.events !== true
  )
}

function messageCandidate(members: readonly number[], entry: Entry): RelevanceCandidate {
  return {
    entries: members,
    document: {
      id: documentId(members[0] ?? entry.index),
      role: entry.role,
      text: entryText(entry),
      ...(entry.speaker !== undefined && { speaker: entry.speaker }),
    },
  }
}

/** Evidence and the text that reports it are judged as one, by what both say. */
function exchangeCandidate(exchange: Exchange, entries: readonly Entry[]): RelevanceCandidate {
  const unit = [...exchange.members, ...exchange.reports]
  return {
    entries: unit,
    exchange,
    document: {
      id: documentId(unit[0] ?? 0),
      role: 'tool',
      text: unit.flatMap((index) => shownText(entries[index])).join('\n'),
    },
  }
}

/** Reasoning is for its own model alone: in some formats nobody else can read it. */
function shownText(entry: Entry | undefined): string[] {
  if (entry === undefined) return []
  return entry.parts.flatMap((part) => (part.kind === 'reasoning' ? [] : part.text))
}
