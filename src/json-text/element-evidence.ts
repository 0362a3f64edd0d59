/**
 * Which element of an array a rewritten one was made from, told by what a copy keeps: the very same
 * arrays and objects, and strings and numbers, such as ids, that one element alone has in that place.
 */

import { isContainer } from './plain-object.ts'

/** Values of one element that are looked at, nearest first: it bounds what a single element can cost. */
const MAX_VALUES = 512

/** Different places that values are told apart by: real messages have a few dozen. */
const MAX_PLACES = 4_096

/** Longer strings are content, seldom what tells messages apart, and dear to look up. */
const MAX_TEXT_LENGTH = 256

/** More than one element has the value in that place. */
const SHARED = -1

const ELEMENT = Symbol('element')

/** Where a value stands below its element, positions in arrays aside: `content.[].tool_use_id`. */
interface Place {
  readonly below: Map<string | typeof ELEMENT, Place>
  /** The index of the one element that has the value here, or SHARED. */
  readonly holders: Map<unknown, number>
}

export interface ElementEvidence {
  /** Takes note of the element that may have been rewritten. */
  readonly add: (element: object, index: number) => void
  /** The index of the one that `rewritten` shares an array or object with: proof of its origin. */
  readonly sharing: (rewritten: object) => number | undefined
  /** The index of the one that `rewritten` shares most telling values with, among those that are free. */
  readonly alike: (rewritten: object, isFree: (index: number) => boolean) => number | undefined
}

export const createElementEvidence = (): ElementEvidence => {
  const root = createPlace()
  let places = 1

  const grow = (place: Place, step: string | typeof ELEMENT): Place | undefined => {
    const known = place.below.get(step)
    if (known !== undefined || places >= MAX_PLACES) return known
    const added = createPlace()
    place.below.set(step, added)
    places += 1
    return added
  }

  return {
    add: (element, index) =>
      visit(root, element, grow, (place, value) => {
        const holder = place.holders.get(value)
        place.holders.set(value, holder === undefined || holder === index ? index : SHARED)
        return 'deeper'
      }),

    sharing: (rewritten) => {
      let origin: number | undefined
      visit(root, rewritten, existing, (place, value) => {
        const holder = typeof value === 'object' ? place.holders.get(value) : undefined
        if (holder === undefined || holder === SHARED) return 'deeper'
        origin = holder
        return 'enough'
      })
      return origin
    },

    alike: (rewritten, isFree) => {
      const votes = new Map<number, number>()
      visit(root, rewritten, existing, (place, value) => {
        const holder = place.holders.get(value)
        if (holder !== undefined && holder !== SHARED && isFree(holder)) {
          votes.set(holder, (votes.get(holder) ?? 0) + 1)
        }
        return 'deeper'
      })
      return mostVoted(votes)
    },
  }
}

const createPlace = (): Place => ({ below: new Map(), holders: new Map() })

const existing = (place: Place, step: string | typeof ELEMENT): Place | undefined =>
  place.below.get(step)

const mostVoted = (votes: ReadonlyMap<number, number>): number | undefined => {
  let best: number | undefined
  for (const [index, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = index
  }
  return best
}

/** Shows the values below an element that can tell it from others, level by level. */
const visit = (
  root: Place,
  element: object,
  descend: (place: Place, step: string | typeof ELEMENT) => Place | undefined,
  see: (place: Place, value: unknown) => 'deeper' | 'enough',
): void => {
  const queue: { readonly place: Place; readonly container: object }[] = [
    { place: root, container: element },
  ]
  let seen = 0
  for (const { place, container } of queue) {
    const isArray = Array.isArray(container)
    const names = isArray ? undefined : Object.keys(container)
    const length = isArray ? container.length : (names?.length ?? 0)
    for (let index = 0; index < length; index += 1) {
      seen += 1
      if (seen > MAX_VALUES) return
      const step = names?.[index] ?? ELEMENT
      const value: unknown = (container as Readonly<Record<string | symbol, unknown>>)[
        isArray ? index : step
      ]
      const isInner = isContainer(value)
      // Primitives in arrays are data, and there may be very many.
      if (!isInner && (isArray || !isTelling(value))) continue
      const below = descend(place, step)
      if (below === undefined) continue
      if (see(below, value) === 'enough') return
      if (isInner) queue.push({ place: below, container: value })
    }
  }
}

const isTelling = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= MAX_TEXT_LENGTH : typeof value === 'number'
