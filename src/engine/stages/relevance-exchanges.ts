/**
 * Tool exchanges: a call with all its results, the text that only reports it, and the text that may
 * still rest on it. A claim whose evidence went without a word invites the next one to be invented,
 * so an exchange is dropped only together with the claim; else it is cleared, which says so.
 */
import { isPlaceholder } from '../marker.ts'
import type { StageInput } from '../stage.ts'
import type { Entry, Part } from '../transcript.ts'

export interface Exchange {
  /** The call, its results and all that is linked to them, ascending. */
  readonly members: readonly number[]
  /**
   * The plain answers right behind it, before the user speaks or a tool is called again, with the
   * reasoning that is linked to them. They go with an exchange that is dropped. Empty where it is
   * cleared anyway: then they stay, and are judged by themselves.
   */
  readonly reports: readonly number[]
  readonly mayDrop: boolean
  /**
   * The next text of the assistant's behind all that, before the user speaks again: it may rest on
   * the exchange, which is dropped only if that text goes too. Undefined where there is none.
   */
  readonly claim: number | undefined
}

/** Reads the exchange that a group of linked entries is, if it is one that may go. */
export function createExchangeReader(
  input: StageInput,
  plainMessageAt: (index: number) => Entry | undefined,
): (members: readonly number[]) => Exchange | undefined {
  const { transcript, groups, options } = input
  const { entries } = transcript
  const wantsDrop = options.relevance.toolExchanges === 'drop'
  const nextClaim = wantsDrop ? claimsAhead(entries) : []

  const reportsBehind = (last: number): number[] => {
    const reports: number[] = []
    let next = last + 1
    while (plainMessageAt(next)?.role === 'assistant') {
      const members = groups.members.get(next) ?? []
      // Linked over a gap: what stands in it is none of the report's.
      if (members[members.length - 1] !== last + reports.length + members.length) break
      reports.push(...members)
      next += members.length
    }
    return reports
  }

  return (indexes) => {
    const members = indexes.flatMap((index) => entries[index] ?? [])
    if (!isCompleted(members) || !members.every((entry) => mayGo(entry, input))) return undefined
    const mayDrop = wantsDrop && members.every(isReadable) && !isInterrupted(members, nextClaim)
    const last = indexes[indexes.length - 1] ?? 0
    if (mayDrop) {
      const reports = reportsBehind(last)
      const claim = nextClaim[(reports[reports.length - 1] ?? last) + 1]
      return { members: indexes, reports, mayDrop, claim }
    }
    const canClear = members.some(({ parts }) => parts.some(isClearable))
    return canClear ? { members: indexes, reports: [], mayDrop, claim: undefined } : undefined
  }
}

/** Whether a part is a tool result that a line can take the place of, and none has yet. */
export function isClearable(part: Part): boolean {
  return part.kind === 'tool-result' && part.rewritable && !isPlaceholder(part.text)
}

/** In one message or in several. A result alone is no exchange: nobody here sees what was asked. */
function isCompleted(members: readonly Entry[]): boolean {
  const has = (is: (part: Part) => boolean): boolean => members.some(({ parts }) => parts.some(is))
  return has(isResult) && (members.length > 1 || has(({ kind }) => kind === 'tool-call'))
}

function isResult({ kind }: Part): boolean {
  return kind === 'tool-result'
}

function mayGo({ index, flags, unresolvedCalls }: Entry, input: StageInput): boolean {
  return (
    input.state.isAlive(index) &&
    input.protection.level(index) === 'free' &&
    flags.events !== true &&
    flags.condensed !== true &&
    unresolvedCalls.length === 0
  )
}

/** Nobody can judge a picture, or a part of an unknown type, by the label that stands for it. */
function isReadable({ parts }: Entry): boolean {
  return parts.every(({ kind }) => kind !== 'media' && kind !== 'opaque')
}

/** Whether a text of the assistant's that is no part of it stands among its results. */
function isInterrupted(
  members: readonly Entry[],
  nextClaim: readonly (number | undefined)[],
): boolean {
  const own = new Set(members.map(({ index }) => index))
  const last = members[members.length - 1]?.index ?? 0
  const firstResult = members.find(({ parts }) => parts.some(isResult))?.index ?? last
  let claim = nextClaim[firstResult + 1]
  while (claim !== undefined && claim < last) {
    if (!own.has(claim)) return true
    claim = nextClaim[claim + 1]
  }
  return false
}

/**
 * For each place the first text of the assistant's from there on, before the user speaks again. The
 * user ends what an exchange may be claimed in; instructions and markers of earlier runs do not.
 */
function claimsAhead(entries: readonly Entry[]): (number | undefined)[] {
  const ahead = entries.map((): number | undefined => undefined)
  let next: number | undefined
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry !== undefined && entry.flags.marker !== true) {
      if (entry.role === 'user') next = undefined
      else if (entry.role === 'assistant' && entry.parts.some(isSaid)) next = index
    }
    ahead[index] = next
  }
  return ahead
}

function isSaid({ kind, text }: Part): boolean {
  return kind === 'text' && text.trim() !== ''
}
