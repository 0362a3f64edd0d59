import { type Fault, PrecisError } from '../engine/errors.ts'
import type { Transcript } from '../engine/transcript.ts'

/**
 * Message numbers and ids to entry numbers. An id that several messages bear pins them all. Throws
 * PrecisError('invalid-request') for one that names no message: a pin that holds nothing would be a
 * constraint lost in silence.
 */
export function resolvePins(
  pins: readonly (number | string)[] | undefined,
  transcript: Transcript,
): ReadonlySet<number> {
  const pinned = new Set<number>()
  if (pins === undefined || pins.length === 0) return pinned
  const { entries } = transcript
  const byId = new Map<string, number[]>()
  for (const entry of entries) {
    if (entry.id === undefined) continue
    const same = byId.get(entry.id)
    if (same === undefined) byId.set(entry.id, [entry.index])
    else same.push(entry.index)
  }
  const faults: Fault[] = []
  // A pin that is named again costs nothing, however many messages bear its id.
  const seen = new Set<number | string>()
  for (const [position, pin] of pins.entries()) {
    if (seen.has(pin)) continue
    seen.add(pin)
    const found = typeof pin === 'string' ? byId.get(pin) : entries[pin] && [pin]
    if (found === undefined) {
      faults.push({
        pointer: `/pins/${position}`,
        rule: 'existing-message',
        detail:
          typeof pin === 'string'
            ? 'must be the id of a message'
            : `must be the number of a message, 0 to ${entries.length - 1}`,
      })
      continue
    }
    for (const index of found) pinned.add(index)
  }
  if (faults.length > 0) {
    throw new PrecisError('invalid-request', 'A pin names no message.', { faults })
  }
  return pinned
}
