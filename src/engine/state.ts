/**
 * The conversation as the stages so far have left it. Owned by the runner; stages get it to read.
 * Every change goes through `apply`, which works on numbers only: no text is copied.
 */
import type { Insertion, Plan } from './edit.ts'
import type { StageName } from './options.ts'
import { type Entry, entryTokens, type Part, type Transcript } from './transcript.ts'

export interface Replacement {
  readonly text: string
  readonly tokens: number
}

export interface CountedInsertion extends Insertion {
  readonly tokens: number
  readonly stage: StageName
}

export interface Change {
  readonly drops: ReadonlySet<number>
  readonly replacements: ReadonlyMap<number, ReadonlyMap<number, Replacement>>
  readonly marker?: CountedInsertion
  readonly summary?: CountedInsertion
}

export interface ReadonlyState {
  readonly total: number
  readonly isAlive: (entry: number) => boolean
  /** Current tokens of an entry, framing included; 0 once it is dropped. */
  readonly tokensOf: (entry: number) => number
  readonly partText: (entry: Entry, part: number) => string
  readonly partTokens: (entry: Entry, part: number) => number
  readonly insertions: readonly CountedInsertion[]
}

export interface State extends ReadonlyState {
  /** Tokens that the conversation would have after the change. */
  readonly totalAfter: (change: Change) => number
  readonly apply: (change: Change) => void
  readonly plan: () => Plan
}

/**
 * What the rest sees change is a plain member. A getter here would be a closure of its own in every
 * run, which V8 keeps in the hidden class of its object: whole conversations would outlive their
 * request, until the next full collection (bench/compact-cost.ts).
 */
type MutableState = { -readonly [Key in keyof State]: State[Key] }

export function createState(transcript: Transcript): State {
  const { entries, beside } = transcript
  const tokens = entries.map(entryTokens)
  const alive = entries.map(() => true)
  const replaced = new Map<number, Map<number, Replacement>>()
  let marker: CountedInsertion | undefined
  let summary: CountedInsertion | undefined
  let total = beside.instructionsTokens + beside.toolsTokens + beside.framingTokens
  for (const count of tokens) total += count

  const partTokens = (entry: Entry, part: number): number =>
    replaced.get(entry.index)?.get(part)?.tokens ?? partAt(entry, part).tokens

  const state: MutableState = {
    total,
    insertions: [],
    isAlive: (entry) => alive[entry] === true,
    tokensOf: (entry) => (alive[entry] === true ? (tokens[entry] ?? 0) : 0),
    partText: (entry, part) =>
      replaced.get(entry.index)?.get(part)?.text ?? partAt(entry, part).text,
    partTokens,
    totalAfter: (change) => {
      let after = state.total
      for (const index of change.drops) after -= state.tokensOf(index)
      for (const [index, parts] of change.replacements) {
        const entry = entries[index]
        if (entry === undefined || alive[index] !== true || change.drops.has(index)) continue
        for (const [part, replacement] of parts) {
          after += replacement.tokens - partTokens(entry, part)
        }
      }
      if (change.marker !== undefined) after += change.marker.tokens - (marker?.tokens ?? 0)
      if (change.summary !== undefined) after += change.summary.tokens - (summary?.tokens ?? 0)
      return after
    },
    apply: (change) => {
      state.total = state.totalAfter(change)
      for (const [index, parts] of change.replacements) {
        const entry = entries[index]
        if (entry === undefined || change.drops.has(index)) continue
        const existing = replaced.get(index) ?? new Map<number, Replacement>()
        for (const [part, replacement] of parts) {
          tokens[index] = (tokens[index] ?? 0) + replacement.tokens - partTokens(entry, part)
          existing.set(part, replacement)
        }
        replaced.set(index, existing)
      }
      for (const index of change.drops) alive[index] = false
      marker = change.marker ?? marker
      summary = change.summary ?? summary
      state.insertions = [summary, marker]
        .filter((insertion) => insertion !== undefined)
        .sort((a, b) => a.before - b.before)
    },
    plan: () => ({
      dropped: new Set(
        entries.filter(({ index }) => alive[index] !== true).map(({ index }) => index),
      ),
      replaced: new Map(
        [...replaced]
          .filter(([index]) => alive[index] === true)
          .map(([index, parts]) => [
            index,
            new Map([...parts].map(([part, replacement]) => [part, replacement.text])),
          ]),
      ),
      insertions: state.insertions,
    }),
  }
  return state
}

function partAt(entry: Entry, part: number): Part {
  const found = entry.parts[part]
  if (found === undefined) throw new RangeError(`entry ${entry.index} has no part ${part}`)
  return found
}
