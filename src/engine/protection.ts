/** Which entries are pinned, how firmly, and why. Decided once per run, before any stage. */
import type { Groups } from './groups.ts'
import { type Entry, entryText, type Part, type Transcript } from './transcript.ts'

export type PinReason =
  | 'instructions'
  | 'first-task'
  | 'current-request'
  | 'summary'
  | 'skill'
  | 'sealed-history'
  | 'unresolved-call'
  | 'caller-pin'
  | 'protected-tail'
  | 'linked'

export type Level =
  /** May be dropped and rewritten. */
  | 'free'
  /** Recent, or linked to something pinned: never dropped; its large outputs may be shortened last. */
  | 'held'
  /** Never altered. */
  | 'fixed'

export interface Protection {
  readonly level: (entry: number) => Level
  readonly reason: (entry: number) => PinReason | undefined
  readonly currentRequest: number | undefined
}

export interface ProtectionInput {
  readonly transcript: Transcript
  readonly groups: Groups
  readonly protectRecent: number
  /** Entry numbers that the caller pins. */
  readonly pins: ReadonlySet<number>
  /** So many of the first entries stay as they are, markers among them. Default 0. */
  readonly frozen?: number
}

export function protect(input: ProtectionInput): Protection {
  const { transcript, groups, frozen = 0 } = input
  const { entries } = transcript
  const currentRequest = lastUserEntry(entries)
  const firstSpeech = entries.findIndex(isUserSpeech)
  const firstTask = entries.findIndex((entry) => isUserSpeech(entry) && !isInjection(entry))
  const tailStart = tailBeginning(entries, input.protectRecent)

  const reasons: (PinReason | undefined)[] = entries.map((entry) => {
    const isFrozen = entry.index < frozen
    // The marker is ours to update, wherever it stands, but in what is frozen.
    if (entry.flags.marker === true) return isFrozen ? 'caller-pin' : undefined
    if (entry.role === 'instructions') return 'instructions'
    if (isFrozen || input.pins.has(entry.index)) return 'caller-pin'
    if (entry.flags.summary === true) return 'summary'
    if (entry.flags.skill === true) return 'skill'
    if (entry.flags.sealed === true) return 'sealed-history'
    if (entry.index === firstTask) return 'first-task'
    // What a harness says first stays too: providers want a user's message at the beginning.
    if (entry.index === firstSpeech) return 'first-task'
    if (entry.index === currentRequest) return 'current-request'
    if (entry.unresolvedCalls.length > 0) return 'unresolved-call'
    if (entry.index >= tailStart) return 'protected-tail'
    return undefined
  })
  for (const members of groups.members.values()) {
    if (members.length === 1 || !members.some((index) => reasons[index] !== undefined)) continue
    for (const index of members) reasons[index] ??= 'linked'
  }
  return {
    currentRequest,
    reason: (entry) => reasons[entry],
    level: (entry) => levelOf(reasons[entry], entries[entry]),
  }
}

/**
 * Whether a part may be shortened when dropping cannot meet the target. The user's own words,
 * instructions, summaries and pins never are; a tool's output is, even in a message that is pinned
 * only for the user's words beside it.
 */
export function mayShorten(entry: Entry, part: Part, protection: Protection): boolean {
  if (!part.rewritable) return false
  switch (protection.reason(entry.index)) {
    case 'instructions':
    case 'summary':
    case 'skill':
    case 'sealed-history':
    case 'caller-pin':
      return false
    case 'first-task':
    case 'current-request':
    case 'unresolved-call':
      return part.kind === 'tool-result'
    default:
      return part.kind === 'tool-result' || (part.kind === 'text' && entry.role === 'assistant')
  }
}

/** A message in which the user says something, whatever tool results ride along. */
function isUserSpeech(entry: Entry): boolean {
  const { flags } = entry
  if (entry.role !== 'user' && entry.role !== 'tool') return false
  if (flags.summary === true || flags.marker === true || flags.skill === true) return false
  if (entry.role === 'tool') return entry.parts.some(isSpokenText)
  return entry.parts.some((part) => part.kind !== 'tool-result' && !isBlank(part))
}

function isSpokenText(part: Part): boolean {
  return part.kind === 'text' && !isBlank(part)
}

function isBlank(part: Part): boolean {
  return part.kind === 'text' && part.text.trim() === ''
}

/** Text that a harness injects in the user's role; it is not the user's task (RubynCode's rule). */
export function isInjection(entry: Entry): boolean {
  return entryText(entry).startsWith('[system]')
}

/** The tail counts messages; markers are not messages of the conversation. */
function tailBeginning(entries: readonly Entry[], protectRecent: number): number {
  let left = protectRecent
  let index = entries.length
  while (index > 0 && left > 0) {
    index -= 1
    if (entries[index]?.flags.marker !== true) left -= 1
  }
  return index
}

function levelOf(reason: PinReason | undefined, entry: Entry | undefined): Level {
  switch (reason) {
    case undefined:
      return 'free'
    case 'protected-tail':
      return entry?.role === 'user' ? 'fixed' : 'held'
    case 'linked':
      return 'held'
    default:
      return 'fixed'
  }
}

/** Number of the last message in which the user says something. */
export function lastUserEntry(entries: readonly Entry[]): number | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry !== undefined && isUserSpeech(entry)) return index
  }
  return undefined
}

/** What a user's message says, without the tool results that may ride along. */
export function spokenText(entry: Entry): string {
  const spoken = entry.parts.filter((part) => part.kind === 'text')
  return spoken.length === 0 ? entryText(entry) : spoken.map((part) => part.text).join('\n')
}
