/** A repeatable stream of numbers (mulberry32): the same seed gives the same cases everywhere. */
export interface RandomStream {
  /** In [0, 1). */
  readonly next: () => number
  /** Integer in [0, limit). */
  readonly below: (limit: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  /** A new list in random order. */
  readonly shuffle: <T>(items: readonly T[]) => T[]
}

export function createRandom(seed: number): RandomStream {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    shuffle: (items) => {
      const shuffled = [...items]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = below(last + 1)
        ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
      }
      return shuffled
    },
  }
}

/** `size` of the items, chosen at random and left in their order; all where there are no more. */
export function sampleOf<T>(items: readonly T[], size: number, seed: number): T[] {
  if (items.length <= size) return [...items]
  const chosen = createRandom(seed)
    .shuffle([...items.keys()])
    .slice(0, size)
  return chosen.sort((a, b) => a - b).map((index) => items[index]!)
}
