/**
 * Turns what a stage proposes into a change that keeps every shared rule: pins hold, links close,
 * no part grows, one marker at most. A proposal that breaks a rule loses that part of itself.
 */
import type { Edit, Insertion } from './edit.ts'
import type { Groups } from './groups.ts'
import { insertionBytes, savedBytes } from './json-bytes.ts'
import { type MarkerStyle, markerText } from './marker.ts'
import type { StageName } from './options.ts'
import type { Ports } from './ports.ts'
import { mayShorten, type Protection } from './protection.ts'
import type { ActionReason } from './report.ts'
import type { Change, CountedInsertion, ReadonlyState, Replacement } from './state.ts'
import type { Entry, Part, Transcript } from './transcript.ts'

export interface Why {
  readonly stage: StageName
  readonly reason: ActionReason
  readonly probability?: number
  readonly confidence?: number
}

export interface ProposedChange {
  readonly change: Change
  readonly why: ReadonlyMap<number, Why>
}

export interface ChangeContext {
  readonly transcript: Transcript
  readonly state: ReadonlyState
  readonly groups: Groups
  readonly protection: Protection
  readonly ports: Ports
  /** Infinite where bytes are not limited. */
  readonly maxBytes: number
}

export function prepareChange(
  stage: StageName,
  edits: readonly Edit[],
  marker: MarkerStyle | undefined,
  context: ChangeContext,
): ProposedChange {
  const why = new Map<number, Why>()
  const drops = closedDrops(stage, edits, context, why)
  const replacements = smallerReplacements(stage, edits, drops, context, why)
  const summary = edits.flatMap((edit) => (edit.op === 'insert' ? [edit.insertion] : []))[0]
  const counted =
    marker === undefined || drops.size === 0
      ? undefined
      : updateMarker(stage, marker, drops, context, why)
  return {
    why,
    change: {
      drops,
      replacements,
      ...(counted !== undefined && { marker: counted }),
      ...(summary !== undefined && drops.size > 0 && { summary: place(stage, summary, context) }),
    },
  }
}

/** Drops whole groups, and only those of which every member may go. */
function closedDrops(
  stage: StageName,
  edits: readonly Edit[],
  context: ChangeContext,
  why: Map<number, Why>,
): Set<number> {
  const { groups, state, protection } = context
  const mayGo = (index: number): boolean =>
    protection.level(index) === 'free' ||
    // Only a newer summary, which carries it forward, may replace a summary.
    (stage === 'summarize' && protection.reason(index) === 'summary')
  const drops = new Set<number>()
  // A group is judged once, however many of its members are proposed.
  const judged = new Map<number, boolean>()
  for (const edit of edits) {
    if (edit.op !== 'drop' || !state.isAlive(edit.entry)) continue
    const group = groups.of[edit.entry] ?? edit.entry
    let goes = judged.get(group)
    if (goes === undefined) {
      const members = groups.members.get(group) ?? []
      goes = members.every(mayGo)
      judged.set(group, goes)
      for (const member of members) {
        if (!goes || !state.isAlive(member)) continue
        drops.add(member)
        why.set(member, reasonOf(stage, edit, false))
      }
    }
    if (goes) why.set(edit.entry, reasonOf(stage, edit, true))
  }
  return drops
}

function reasonOf(stage: StageName, edit: Exclude<Edit, { op: 'insert' }>, own: boolean): Why {
  return {
    stage,
    reason: (own ? edit.reason : 'linked') as ActionReason,
    ...(edit.probability !== undefined && { probability: edit.probability }),
    ...(edit.confidence !== undefined && { confidence: edit.confidence }),
  }
}

function smallerReplacements(
  stage: StageName,
  edits: readonly Edit[],
  drops: ReadonlySet<number>,
  context: ChangeContext,
  why: Map<number, Why>,
): Map<number, Map<number, Replacement>> {
  const { transcript, state, protection, ports } = context
  const replacements = new Map<number, Map<number, Replacement>>()
  // Hundreds of cleared results say the same, and a count of a short text is not cached by its counter.
  const counted = new Map<string, number>()
  for (const edit of edits) {
    if (edit.op !== 'replace-text' || drops.has(edit.entry) || !state.isAlive(edit.entry)) continue
    const entry = transcript.entries[edit.entry]
    const part = entry?.parts[edit.part]
    if (entry === undefined || part === undefined || !mayReplace(part, edit)) continue
    if (protection.level(entry.index) !== 'free' && !mayShorten(entry, part, protection)) continue
    const tokens = counted.get(edit.text) ?? ports.countTokens(edit.text)
    counted.set(edit.text, tokens)
    if (tokens >= state.partTokens(entry, edit.part)) continue
    const parts = replacements.get(entry.index) ?? new Map<number, Replacement>()
    parts.set(edit.part, {
      text: edit.text,
      tokens,
      bytesSaved: savedBytes(part, edit.text, context),
    })
    replacements.set(entry.index, parts)
    why.set(entry.index, reasonOf(stage, edit, true))
  }
  return replacements
}

/** A medium has no text to rewrite, but a note may take its place. */
function mayReplace(part: Part, edit: Edit): boolean {
  return part.rewritable || (part.kind === 'media' && edit.reason === 'old-media')
}

/** One marker that counts all that is gone by position; the one before it is replaced, if it may go. */
function updateMarker(
  stage: StageName,
  style: MarkerStyle,
  drops: Set<number>,
  context: ChangeContext,
  why: Map<number, Why>,
): CountedInsertion {
  const { transcript, state, protection } = context
  let count = drops.size
  let first = Number.POSITIVE_INFINITY
  for (const index of drops) first = Math.min(first, index)
  for (const entry of transcript.entries) {
    if (entry.flags.marker !== true || !state.isAlive(entry.index)) continue
    if (protection.level(entry.index) !== 'free') continue
    if (drops.has(entry.index)) count -= 1
    count += entry.flags.markerCount ?? 0
    drops.add(entry.index)
    why.set(entry.index, { stage, reason: 'superseded-marker' })
    first = Math.min(first, entry.index)
  }
  for (const insertion of state.insertions) {
    if (insertion.kind !== 'marker') continue
    count += insertion.covers
    first = Math.min(first, insertion.before)
  }
  const before = safePosition(first, context.groups)
  return place(
    stage,
    {
      kind: 'marker',
      before,
      role: markerRole(before, drops, context),
      text: markerText(count, style),
      covers: count,
    },
    context,
  )
}

/** The role that keeps turns alternating where one does; the user's otherwise. */
function markerRole(
  before: number,
  drops: ReadonlySet<number>,
  context: ChangeContext,
): Insertion['role'] {
  const remains = (entry: Entry | undefined): boolean =>
    entry !== undefined && context.state.isAlive(entry.index) && !drops.has(entry.index)
  const { entries } = context.transcript
  let previous = before - 1
  while (previous >= 0 && !remains(entries[previous])) previous -= 1
  let next = before
  while (next < entries.length && !remains(entries[next])) next += 1
  return entries[previous]?.role === 'user' && entries[next]?.role === 'user' ? 'assistant' : 'user'
}

/** The nearest place at or before `position` that stands inside no group of linked entries. */
export function safePosition(position: number, groups: Groups): number {
  let safe = position
  // Groups are named by their first entry, so walking down meets every group that spans `safe`.
  for (let index = position - 1; index >= 0; index -= 1) {
    const members = groups.members.get(index)
    const last = members?.[members.length - 1] ?? index
    if (last >= safe) safe = index
  }
  return safe
}

function place(stage: StageName, insertion: Insertion, context: ChangeContext): CountedInsertion {
  const before = safePosition(insertion.before, context.groups)
  const bytes = context.maxBytes === Number.POSITIVE_INFINITY ? 0 : insertionBytes(insertion)
  return {
    ...insertion,
    before,
    stage,
    bytes,
    tokens: context.ports.countInsertion(insertion.text),
  }
}
