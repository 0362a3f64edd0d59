export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  readonly below: (limit: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  readonly bytes: (count: number) => Buffer
}

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  }
}
