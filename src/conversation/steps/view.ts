/** What is left of the posted messages after some steps, and where each of it comes from. */
import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonValue } from '../../engine/transcript.ts'

export interface Slot {
  readonly item: JsonValue
  /** Number of the posted message; undefined for one that a step has put in. */
  readonly origin?: number
  readonly insertion?: Insertion
}

/** The posted messages themselves, from one number up to and without another. */
export function slotsOf(items: readonly JsonValue[], start: number, end: number): Slot[] {
  return items.slice(start, end).map((item, index) => ({ item, origin: start + index }))
}

/** The view after a plan whose numbers are places in `slots`; `items` is what the plan has made. */
export function viewAfter(
  slots: readonly Slot[],
  plan: Plan,
  items: readonly JsonValue[],
): readonly Slot[] {
  const insertions = [...plan.insertions].sort((a, b) => a.before - b.before)
  const view: Slot[] = []
  const insertUpTo = (place: number): void => {
    for (let next = insertions[0]; next !== undefined; next = insertions[0]) {
      if (next.before > place) return
      view.push({ item: itemAt(items, view.length), insertion: next })
      insertions.shift()
    }
  }
  for (const [place, slot] of slots.entries()) {
    insertUpTo(place)
    if (!plan.dropped.has(place)) view.push({ ...slot, item: itemAt(items, view.length) })
  }
  insertUpTo(Number.POSITIVE_INFINITY)
  return view
}

function itemAt(items: readonly JsonValue[], index: number): JsonValue {
  const item = items[index]
  if (item === undefined) throw new RangeError(`The edited conversation has no message ${index}`)
  return item
}
