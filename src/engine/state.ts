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
  /** At least so many bytes leave the message; 0 where bytes do not matter. */
  readonly bytesSaved: number
}

export interface CountedInsertion extends Insertion {
  readonly tokens: number
  /** At most so many; 0 where bytes do not matter. */
  readonly bytes: number
  readonly stage: StageName
}

export interface Change {
  readonly drops: ReadonlySet<number>
  readonly replacements: ReadonlyMap<number, ReadonlyMap<number, Replacement>>
  readonly marker?: CountedInsertion
  readonly summary?: CountedInsertion
}

export interface Size {
  readonly tokens: number
  /** Of the conversation as JSON: at most so many. 0 where bytes do not matter. */
  readonly bytes: number
}

export interface ReadonlyState {
  readonly total: number
  readonly bytes: number
  readonly isAlive: (entry: number) => boolean
  /** Current tokens of an entry, framing included; 0 once it is dropped. */
  readonly tokensOf: (entry: number) => number
  /** Current bytes of an entry, likewise. */
  readonly bytesOf: (entry: number) => number
  readonly partText: (entry: Entry, part: number) => string
  readonly partTokens: (entry: Entry, part: number) => number
  readonly insertions: readonly CountedInsertion[]
}

export interface State extends ReadonlyState {
  /** What the conversation would take after the change. */
  readonly sizeAfter: (change: Change) => Size
  readonly apply: (change: Change) => void
  readonly plan: () => Plan
}

/**
 * What the rest sees change is a plain member. A getter here would be a closure of its own in every
 * run, which V8 keeps in the hidden class of its object: whole conversations would outlive their
 * request, until the next full collection (bench/compact-cost.ts).
 */
type MutableState = { -readonly [Key in keyof State]: State[Key] }

/** `byteSizes`: bytes of each entry as JSON; left out where bytes do not matter. */
export function createState(transcript: Transcript, byteSizes?: readonly number[]): State {
  const { entries, beside } = transcript
  const tokens = entries.map(entryTokens)
  const bytes = entries.map(({ index }) => byteSizes?.[index] ?? 0)
  const alive = entries.map(() => true)
  const replaced = new Map<number, Map<number, Replacement>>()
  let marker: CountedInsertion | undefined
  let summary: CountedInsertion | undefined
  let total = beside.instructionsTokens + beside.toolsTokens + beside.framingTokens
  for (const count of tokens) total += count
  // Each entry comes with the comma or bracket after it; the bracket before them is left.
  let totalBytes = byteSizes === undefined ? 0 : 1
  for (const count of bytes) totalBytes += count

  const partTokens = (entry: Entry, part: number): number =>
    replaced.get(entry.index)?.get(part)?.tokens ?? partAt(entry, part).tokens

  const savedBefore = (entry: number, part: number): number =>
    replaced.get(entry)?.get(part)?.bytesSaved ?? 0

  const state: MutableState = {
    total,
    bytes: totalBytes,
    insertions: [],
    isAlive: (entry) => alive[entry] === true,
    tokensOf: (entry) => (alive[entry] === true ? (tokens[entry] ?? 0) : 0),
    bytesOf: (entry) => (alive[entry] === true ? (bytes[entry] ?? 0) : 0),
    partText: (entry, part) =>
      replaced.get(entry.index)?.get(part)?.text ?? partAt(entry, part).text,
    partTokens,
    sizeAfter: (change) => {
      const after = { tokens: state.total, bytes: state.bytes }
      for (const index of change.drops) {
        after.tokens -= state.tokensOf(index)
        after.bytes -= state.bytesOf(index)
      }
      for (const [index, parts] of change.replacements) {
        const entry = entries[index]
        if (entry === undefined || alive[index] !== true || change.drops.has(index)) continue
        for (const [part, replacement] of parts) {
          after.tokens += replacement.tokens - partTokens(entry, part)
          after.bytes -= replacement.bytesSaved - savedBefore(index, part)
        }
      }
      const inserted = [
        [change.marker, marker],
        [change.summary, summary],
      ] as const
      for (const [next, previous] of inserted) {
        if (next === undefined) continue
        after.tokens += next.tokens - (previous?.tokens ?? 0)
        after.bytes += next.bytes - (previous?.bytes ?? 0)
      }
      return after
    },
    apply: (change) => {
      const after = state.sizeAfter(change)
      state.total = after.tokens
      state.bytes = after.bytes
      for (const [index, parts] of change.replacements) {
        const entry = entries[index]
        if (entry === undefined || change.drops.has(index)) continue
        const existing = replaced.get(index) ?? new Map<number, Replacement>()
        for (const [part, replacement] of parts) {
          tokens[index] = (tokens[index] ?? 0) + replacement.tokens - partTokens(entry, part)
          bytes[index] = (bytes[index] ?? 0) - replacement.bytesSaved + savedBefore(index, part)
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
