import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { FaultCollector } from './faults.ts'
import { isArray, pointer } from './json.ts'

/**
 * Most levels of objects and arrays inside one message, tool or other member. Real conversations
 * stay below 100; JSON.stringify runs out of stack between 5,000 and 10,000, so that a deeper value
 * could not be counted and not be sent back.
 */
export const MAX_DEPTH = 1000

/** Adds one fault for each message, item or member that is nested deeper than the limit. */
export function checkDepth(payload: JsonObject, faults: FaultCollector): void {
  for (const [name, value] of Object.entries(payload)) {
    if (!isArray(value)) {
      if (isTooDeep(value, MAX_DEPTH)) report(faults, pointer(name))
      continue
    }
    for (const [index, item] of value.entries()) {
      if (isTooDeep(item, MAX_DEPTH)) report(faults, pointer(name, index))
    }
  }
}

function report(faults: FaultCollector, at: string): void {
  faults.add(at, 'max-depth', `is nested deeper than ${MAX_DEPTH} levels`)
}

/** Recursion ends at the limit, so the stack is safe whatever the value's depth. */
function isTooDeep(value: JsonValue, levelsLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levelsLeft === 0) return true
  if (isArray(value)) {
    for (const item of value) if (isTooDeep(item, levelsLeft - 1)) return true
    return false
  }
  for (const name in value) {
    const member = value[name]
    if (member !== undefined && isTooDeep(member, levelsLeft - 1)) return true
  }
  return false
}
