const NEGATIVE_ZERO = Symbol('-0')
const NO_OTHER = -1

export interface Occurrences {
  /**
   * Index of an element that is the very same value: the first at or after `from`, or else one
   * before it; undefined where there is none. Any number of calls together are linear, as long as
   * `from` grows; where it goes back, the place found may be a later one than the first.
   */
  readonly find: (value: unknown, from: number) => number | undefined
}

/** Where the values of an array stand: objects by identity, primitives by Object.is. */
export const indexOccurrences = (elements: readonly unknown[]): Occurrences => {
  const places = new Map<unknown, number>()
  /** For each place the next one of the same value. */
  const next = new Int32Array(elements.length).fill(NO_OTHER)
  for (let index = elements.length - 1; index >= 0; index -= 1) {
    const key = keyOf(elements[index])
    const later = places.get(key)
    if (later !== undefined) next[index] = later
    places.set(key, index)
  }

  return {
    find: (value, from) => {
      const key = keyOf(value)
      let place = places.get(key)
      while (place !== undefined && place < from) {
        const later = next[place] ?? NO_OTHER
        if (later === NO_OTHER) break
        place = later
      }
      if (place !== undefined) places.set(key, place)
      return place
    },
  }
}

/** A Map takes 0 and -0 for one key. */
const keyOf = (value: unknown): unknown => (Object.is(value, -0) ? NEGATIVE_ZERO : value)
