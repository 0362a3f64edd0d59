/**
 * The last resort that always works: drops droppable units, exactly as many as needed; and where
 * dropping cannot meet the target, shortens the largest parts that may be shortened.
 */
import type { Edit } from '../edit.ts'
import { leastTokens } from '../floor.ts'
import { MARKER_BYTES } from '../json-bytes.ts'
import type { Ports } from '../ports.ts'
import { mayShorten } from '../protection.ts'
import type { ActionReason } from '../report.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import type { Size } from '../state.ts'
import { shortenToTokens } from '../text-cut.ts'
import type { Entry } from '../transcript.ts'
import { droppableUnits, type Unit } from '../units.ts'

/**
 * Where what must stay is over the target by itself, its large outputs are shortened to this share
 * of it, so that the history is not thrown away for the sake of one output.
 */
const SHARE_OF_KEPT_PARTS = 0.75

export function truncate(input: StageInput, ports: Ports): StageOutput {
  if (!input.options.truncate.drop) return { edits: shortenOnly(input, ports) }
  const units = droppableUnits(input)
  const droppable = units.reduce((sum, unit) => sum + unit.tokens, 0)
  const oldMarkers = input.transcript.entries.filter(
    ({ flags, index }) =>
      flags.marker === true &&
      input.state.isAlive(index) &&
      input.protection.level(index) === 'free',
  )
  const oldMarkerTokens = oldMarkers.reduce(
    (sum, { index }) => sum + input.state.tokensOf(index),
    0,
  )
  const kept = input.state.total - droppable - oldMarkerTokens
  // One marker takes the place of the old ones; where nothing is dropped, only if that saves tokens.
  const markerIfKept = Math.min(oldMarkerTokens, input.markerTokens)
  const shortened =
    kept + (droppable > 0 ? input.markerTokens : markerIfKept) > input.target
      ? shortenLargest(input, ports, partsOf(input, isHeld), {
          kept,
          withoutDrops: input.target - droppable - markerIfKept,
        })
      : { edits: [], saved: 0 }
  const total = input.state.total - shortened.saved
  if (total <= input.target && input.state.bytes <= input.maxBytes) {
    return { edits: shortened.edits }
  }

  const dropped = chooseUnits(
    units,
    {
      tokens: total - oldMarkerTokens + input.markerTokens,
      bytes: input.state.bytes + (input.maxBytes === Number.POSITIVE_INFINITY ? 0 : MARKER_BYTES),
    },
    input,
  )
  const merged = oldMarkerTokens > input.markerTokens ? oldMarkers : []
  return {
    edits: [
      ...shortened.edits,
      ...merged.map(({ index }) => dropEntry(index, 'superseded-marker')),
      ...dropped.flatMap(dropUnit),
    ],
    ...(dropped.length + merged.length > 0 && { marker: 'truncated' as const }),
  }
}

function dropUnit({ entries, needed }: Unit): Edit[] {
  return entries.map((entry) => dropEntry(entry, needed === undefined ? 'oldest' : 'least-needed'))
}

function dropEntry(entry: number, reason: ActionReason): Edit {
  return { op: 'drop', entry, reason }
}

/**
 * Takes units in their order until `total`, the new marker included, meets the limits, then puts
 * back whatever still fits, the last taken first: no unit is gone that could have stayed.
 */
function chooseUnits(units: readonly Unit[], total: Size, input: StageInput): Unit[] {
  const { target, maxBytes } = input
  let { tokens, bytes } = total
  const taken: Unit[] = []
  for (const unit of units) {
    if (tokens <= target && bytes <= maxBytes) break
    taken.push(unit)
    tokens -= unit.tokens
    bytes -= unit.bytes
  }
  const gone: Unit[] = []
  for (const unit of taken.reverse()) {
    const fits = tokens + unit.tokens <= target && bytes + unit.bytes <= maxBytes
    if (unit.staysGone || !fits) {
      gone.push(unit)
      continue
    }
    tokens += unit.tokens
    bytes += unit.bytes
  }
  return gone
}

interface Shortening {
  readonly edits: readonly Edit[]
  readonly saved: number
}

/**
 * Shortens without dropping: what is older and not held first, the rest only if that is not enough.
 * Where not even all of it at its shortest meets the target, nothing is spoilt on the way to missing it.
 */
function shortenOnly(input: StageInput, ports: Ports): readonly Edit[] {
  const { total } = input.state
  const all = partsOf(input, () => true)
  const free = all.filter(({ entry }) => !isHeld(entry, input))
  const parts = [free, all].find((some) => total - savingOf(some) <= input.target)
  if (parts === undefined) return []
  return shortenLargest(input, ports, parts, { kept: total, withoutDrops: input.target }).edits
}

function savingOf(parts: readonly ShortenablePart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens - part.least, 0)
}

interface Sizes {
  /** What stays whatever is dropped, markers left out. */
  readonly kept: number
  /** What that would have to come to for nothing to be dropped. */
  readonly withoutDrops: number
}

/** Lowers the largest parts to one common level, found by filling from the smallest up. */
function shortenLargest(
  input: StageInput,
  ports: Ports,
  parts: readonly ShortenablePart[],
  { kept, withoutDrops }: Sizes,
): Shortening {
  const { state, target } = input
  const shortenableTokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  const least = parts.reduce((sum, part) => sum + part.least, 0)
  const fixed = kept - shortenableTokens
  // Once nothing has to be dropped, shortening further would gain nothing.
  const goal = Math.max(Math.floor(target * SHARE_OF_KEPT_PARTS), withoutDrops, fixed + least)
  const level = commonLevel(
    parts.map((part) => part.tokens),
    (goal <= withoutDrops ? goal : Math.min(goal, target - input.markerTokens)) - fixed,
  )
  const edits: Edit[] = []
  let saved = 0
  for (const { entry, part, tokens, least: floor } of parts) {
    const budget = Math.max(level, floor)
    if (tokens <= budget) continue
    const text = shortenToTokens(state.partText(entry, part), tokens, budget, ports.countTokens)
    if (text === undefined) continue
    edits.push({ op: 'replace-text', entry: entry.index, part, text, reason: 'too-large' })
    saved += tokens - ports.countTokens(text)
  }
  return { edits, saved }
}

interface ShortenablePart {
  readonly entry: Entry
  readonly part: number
  readonly tokens: number
  /** Tokens to which it can be brought. */
  readonly least: number
}

/** Whether an entry stays whatever is dropped. */
function isHeld(entry: Entry, { protection }: StageInput): boolean {
  return protection.level(entry.index) !== 'free'
}

function partsOf(
  input: StageInput,
  isWanted: (entry: Entry, input: StageInput) => boolean,
): ShortenablePart[] {
  return input.transcript.entries.flatMap((entry) =>
    input.state.isAlive(entry.index) && isWanted(entry, input) ? shortenable(entry, input) : [],
  )
}

function shortenable(entry: Entry, input: StageInput): ShortenablePart[] {
  return entry.parts.flatMap((part, index) => {
    if (!mayShorten(entry, part, input.protection)) return []
    const tokens = input.state.partTokens(entry, index)
    // An earlier stage may have brought it below what shortening leaves.
    const least = Math.min(tokens, leastTokens(entry, part, input.protection))
    return [{ entry, part: index, tokens, least }]
  })
}

/** The largest level L for which the sum of min(size, L) is within the allowance. */
export function commonLevel(sizes: readonly number[], allowance: number): number {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = Math.max(0, allowance)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}
