/** A small reproducible generator (mulberry32): the same seed gives the same cases everywhere. */
export interface SeededRandom {
  /** In [0, 1). */
  readonly next: () => number
  /** Integer in [0, below). */
  readonly below: (below: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  readonly chance: (probability: number) => boolean
}

export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    chance: (probability) => next() < probability,
  }
}
