export interface Random {
  /** Integer in 0..bound-1. */
  readonly below: (bound: number) => number
  readonly pick: <T>(items: readonly [T, ...T[]]) => T
}

/**
 * A small xorshift generator. Texts of thousands of characters are grown from one seed instead of
 * being drawn by fast-check character by character: a hundred times faster, and they shrink by length.
 */
export function createRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) | 0 || 1
  const below = (bound: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
  return { below, pick: (items) => items[below(items.length)] ?? items[0] }
}
