/**
 * What truncation may drop, in the order in which it goes: by age; or by need, where a model has
 * judged the messages whose ranking is worth more than their age.
 */
import type { StageInput } from './stage.ts'
import type { Entry } from './transcript.ts'

export interface Unit {
  readonly entries: readonly number[]
  readonly tokens: number
  /** At most so many; 0 where bytes are not limited. */
  readonly bytes: number
  /** Highest P(needed) of its messages; undefined where none was judged, or the order is by age. */
  readonly needed: number | undefined
  /** Never put back once taken: its place is where the marker keeps the roles alternating. */
  readonly staysGone: boolean
}

export function droppableUnits(input: StageInput): Unit[] {
  const groups = freeGroups(input)
  if (!input.rankByNeed) return joinExchanges(groups, input)
  return interleaveByNeed(groups.map((group) => toUnit(group, input)))
}

function freeGroups(input: StageInput): (readonly number[])[] {
  const { groups, state, protection, transcript } = input
  const free: (readonly number[])[] = []
  for (const members of groups.members.values()) {
    if (!members.every((index) => protection.level(index) === 'free')) continue
    // An old marker goes when a new one takes its place; it keeps nothing that it is linked to.
    const alive = members.filter(
      (index) => state.isAlive(index) && !isMarker(transcript.entries[index]),
    )
    if (alive.length > 0) free.push(alive)
  }
  return free.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
}

/**
 * A user message goes together with the plain replies that follow it: half an exchange would leave
 * an answer without its question, and two turns of one role in a row.
 */
function joinExchanges(groups: readonly (readonly number[])[], input: StageInput): Unit[] {
  const units: Unit[] = []
  let open: number[] | undefined
  let next = -1
  const close = (): void => {
    if (open !== undefined) units.push(toUnit(open, input))
    open = undefined
  }
  for (const group of groups) {
    const [first = 0] = group
    const entry = input.transcript.entries[first]
    const isPlain = group.length === 1 && entry !== undefined && isPlainText(entry)
    if (isPlain && entry.role === 'assistant' && open !== undefined && first === next) {
      open.push(first)
      next = first + 1
      continue
    }
    close()
    if (isPlain && entry.role === 'user') {
      open = [first]
      next = first + 1
    } else {
      units.push(toUnit(group, input, isPlain && repliesToPinned(entry, input)))
    }
  }
  close()
  return units
}

/** A plain reply to a pinned user message that is followed by another user message. */
function repliesToPinned(entry: Entry | undefined, input: StageInput): boolean {
  if (entry?.role !== 'assistant') return false
  const { entries } = input.transcript
  return entries[entry.index - 1]?.role === 'user' && entries[entry.index + 1]?.role === 'user'
}

/**
 * Judged units by ascending need, unjudged ones by age, taken from both so that at any point the
 * same share of either's tokens is gone: neither ranking says anything about the other's units.
 */
function interleaveByNeed(units: readonly Unit[]): Unit[] {
  const judged = units
    .filter((unit) => unit.needed !== undefined)
    .sort((a, b) => (a.needed ?? 0) - (b.needed ?? 0) || firstOf(a) - firstOf(b))
  const unjudged = units.filter((unit) => unit.needed === undefined)
  const position = new Map<Unit, number>()
  for (const list of [judged, unjudged]) {
    const total = list.reduce((sum, unit) => sum + unit.tokens, 0)
    let gone = 0
    for (const unit of list) {
      gone += unit.tokens
      position.set(unit, gone / total)
    }
  }
  return [...units].sort(
    (a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0) || firstOf(a) - firstOf(b),
  )
}

function toUnit(entries: readonly number[], input: StageInput, staysGone = false): Unit {
  let tokens = 0
  let bytes = 0
  let needed: number | undefined
  for (const index of entries) {
    tokens += input.state.tokensOf(index)
    bytes += input.state.bytesOf(index)
    const probability = input.rankByNeed ? input.needed.get(index) : undefined
    if (probability !== undefined) needed = Math.max(needed ?? 0, probability)
  }
  return { entries: [...entries], tokens, bytes, needed, staysGone }
}

function firstOf(unit: Unit): number {
  return unit.entries[0] ?? 0
}

function isMarker(entry: Entry | undefined): boolean {
  return entry?.flags.marker === true
}

function isPlainText(entry: Entry): boolean {
  return entry.parts.every((part) => part.kind === 'text')
}
