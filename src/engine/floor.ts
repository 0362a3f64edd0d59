import { MARKER_BYTES } from './json-bytes.ts'
import { mayShorten, type PinReason, type Protection } from './protection.ts'
import type { Floor } from './report.ts'
import type { ReadonlyState } from './state.ts'
import { type Entry, entryTokens, type Part, type Transcript } from './transcript.ts'

/** A part is never shortened below this: less than that tells a model nothing. */
export const SHORTEN_FLOOR_TOKENS = 64

/** Tokens to which a part can be brought without dropping its message. */
export function leastTokens(entry: Entry, part: Part, protection: Protection): number {
  return mayShorten(entry, part, protection)
    ? Math.min(part.tokens, SHORTEN_FLOOR_TOKENS)
    : part.tokens
}

/**
 * The smallest size that the stages can reach without a summary: all that is pinned, with what may
 * be shortened at its shortest, and a marker for what would be dropped, or that itself where it is
 * smaller than the marker. A target below the floor cannot be met.
 */
export function computeFloor(
  transcript: Transcript,
  protection: Protection,
  markerTokens: number,
): Floor {
  const { beside } = transcript
  const pins: Partial<Record<PinReason, number>> = {}
  let instructions = beside.instructionsTokens
  let protectedTail = 0
  let pinned = 0
  let droppable = 0
  for (const entry of transcript.entries) {
    const reason = protection.reason(entry.index)
    if (reason === undefined) {
      droppable += entryTokens(entry)
      continue
    }
    const tokens = leastEntryTokens(entry, protection)
    if (reason === 'instructions') instructions += tokens
    else if (reason === 'protected-tail') protectedTail += tokens
    else {
      pins[reason] = (pins[reason] ?? 0) + tokens
      pinned += tokens
    }
  }
  const marker = Math.min(markerTokens, droppable)
  const framing = beside.framingTokens
  const tools = beside.toolsTokens
  return {
    tokens: instructions + tools + framing + pinned + protectedTail + marker,
    instructions,
    tools,
    framing,
    pins,
    protectedTail,
    marker,
  }
}

/** Bytes of what is pinned, and of a marker for what would be dropped, or that where it is smaller. */
export function computeByteFloor(
  protection: Protection,
  state: ReadonlyState,
  { entries }: Transcript,
): number {
  let pinned = 0
  let droppable = 0
  for (const { index } of entries) {
    if (protection.reason(index) === undefined) droppable += state.bytesOf(index)
    else pinned += state.bytesOf(index)
  }
  return pinned + Math.min(MARKER_BYTES, droppable)
}

function leastEntryTokens(entry: Entry, protection: Protection): number {
  let total = entry.framingTokens
  for (const part of entry.parts) total += leastTokens(entry, part, protection)
  return total
}
