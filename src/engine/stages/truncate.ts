/**
 * The last resort that always works: drops droppable units, exactly as many as needed; and where
 * dropping cannot meet the target, shortens the largest parts that may be shortened.
 */
import type { Edit } from '../edit.ts'
import { leastTokens } from '../floor.ts'
import type { Ports } from '../ports.ts'
import { mayShorten } from '../protection.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import { shortenToTokens } from '../text-cut.ts'
import type { Entry } from '../transcript.ts'
import { droppableUnits, type Unit } from '../units.ts'

/**
 * Where what must stay is over the target by itself, its large outputs are shortened to this share
 * of it, so that the history is not thrown away for the sake of one output.
 */
const SHARE_OF_KEPT_PARTS = 0.75

export function truncate(input: StageInput, ports: Ports): StageOutput {
  const units = droppableUnits(input)
  const droppable = units.reduce((sum, unit) => sum + unit.tokens, 0)
  const oldMarkers = existingMarkerTokens(input)
  const kept = input.state.total - droppable - oldMarkers
  const marker = droppable > 0 ? input.markerTokens : oldMarkers
  const shortened =
    kept + marker > input.target
      ? shortenLargest(input, ports, { kept, droppable, oldMarkers })
      : { edits: [], saved: 0 }
  const total = input.state.total - shortened.saved
  const dropped =
    total <= input.target ? [] : chooseUnits(units, total - oldMarkers + input.markerTokens, input)
  return {
    edits: [...shortened.edits, ...dropped.flatMap(dropUnit)],
    ...(dropped.length > 0 && { marker: 'truncated' as const }),
  }
}

function dropUnit({ entries, needed }: Unit): Edit[] {
  const reason = needed === undefined ? 'oldest' : 'least-needed'
  return entries.map((entry) => ({ op: 'drop', entry, reason }))
}

/** Tokens of the markers that a new one would take the place of. */
function existingMarkerTokens({ transcript, state }: StageInput): number {
  return transcript.entries
    .filter((entry) => entry.flags.marker === true)
    .reduce((sum, entry) => sum + state.tokensOf(entry.index), 0)
}

/**
 * Takes units in their order until `total`, the new marker included, meets the target, then puts
 * back whatever still fits, the last taken first: no unit is gone that could have stayed.
 */
function chooseUnits(units: readonly Unit[], total: number, input: StageInput): Unit[] {
  let after = total
  const taken: Unit[] = []
  for (const unit of units) {
    if (after <= input.target) break
    taken.push(unit)
    after -= unit.tokens
  }
  const gone: Unit[] = []
  for (const unit of taken.reverse()) {
    if (!unit.staysGone && after + unit.tokens <= input.target) after += unit.tokens
    else gone.push(unit)
  }
  return gone
}

interface Sizes {
  /** What stays whatever is dropped, markers left out. */
  readonly kept: number
  readonly droppable: number
  readonly oldMarkers: number
}

interface Shortening {
  readonly edits: readonly Edit[]
  readonly saved: number
}

/** Lowers the largest parts to one common level, found by filling from the smallest up. */
function shortenLargest(input: StageInput, ports: Ports, sizes: Sizes): Shortening {
  const { state, protection, target } = input
  const { kept, droppable, oldMarkers } = sizes
  const parts = input.transcript.entries.flatMap((entry) =>
    state.isAlive(entry.index) && protection.level(entry.index) !== 'free'
      ? shortenable(entry, input)
      : [],
  )
  const shortenableTokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  const least = parts.reduce((sum, part) => sum + part.least, 0)
  const fixed = kept - shortenableTokens
  // What would do without dropping anything: shortening further than that would gain nothing.
  const withoutDrops = target - droppable - oldMarkers
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

function shortenable(entry: Entry, input: StageInput) {
  return entry.parts.flatMap((part, index) =>
    mayShorten(entry, part, input.protection)
      ? [
          {
            entry,
            part: index,
            tokens: input.state.partTokens(entry, index),
            least: leastTokens(entry, part, input.protection),
          },
        ]
      : [],
  )
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
