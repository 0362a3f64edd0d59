/**
 * What truncation may drop, in the order in which it goes: by age; or by need, where a model has
 * judged the messages whose ranking is worth more than their age.
 */
import { isDirectAnswer, spokenEntry } from './plain-answer.ts'
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
  const whole = input.options.relevance.pairs === false ? groups : joinPairs(groups, input)
  return interleaveByNeed(whole.map((group) => toUnit(group, input)))
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
    const role = plainRole(group, input)
    if (role === 'assistant' && open !== undefined && first === next && isUnbroken(group)) {
      open.push(...group)
      next = first + group.length
      continue
    }
    close()
    if (role === 'user') {
      open = [first]
      next = first + 1
    } else {
      units.push(toUnit(group, input, role === 'assistant' && repliesToPinned(group, input)))
    }
  }
  close()
  return units
}

/**
 * The role of a group that is one plain message. An answer's reasoning is a part of its message in
 * some formats, and in others an item that is linked to it.
 */
function plainRole(group: readonly number[], input: StageInput): Entry['role'] | undefined {
  const entry = spokenEntry(group, input.transcript.entries)
  if (entry === undefined) return undefined
  const isAnswer = entry.role === 'assistant'
  const isPlain = entry.parts.every(
    ({ kind }) => kind === 'text' || (isAnswer && kind === 'reasoning'),
  )
  return isPlain && (isAnswer || group.length === 1) ? entry.role : undefined
}

function isUnbroken(group: readonly number[]): boolean {
  return lastOf(group) - (group[0] ?? 0) === group.length - 1
}

/** A plain reply to a pinned user message that is followed by another user message. */
function repliesToPinned(group: readonly number[], input: StageInput): boolean {
  const { entries } = input.transcript
  const [first = 0] = group
  return entries[first - 1]?.role === 'user' && entries[lastOf(group) + 1]?.role === 'user'
}

/** A question and its direct answer are one unit, where both were judged or neither was. */
function joinPairs(
  groups: readonly (readonly number[])[],
  input: StageInput,
): (readonly number[])[] {
  const { entries } = input.transcript
  const isJudged = ([first = 0]: readonly number[]): boolean => input.needed.has(first)
  const joined: (readonly number[])[] = []
  for (let place = 0; place < groups.length; place += 1) {
    const group = groups[place] ?? []
    const next = groups[place + 1] ?? []
    const question = plainRole(group, input) === 'user' ? entries[group[0] ?? 0] : undefined
    const isPair =
      question !== undefined &&
      plainRole(next, input) === 'assistant' &&
      isDirectAnswer(question, next, entries) &&
      isJudged(group) === isJudged(next)
    if (isPair) place += 1
    joined.push(isPair ? [...group, ...next] : group)
  }
  return joined
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

function lastOf(group: readonly number[]): number {
  return group[group.length - 1] ?? 0
}
