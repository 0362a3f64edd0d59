import { describe, expect, it } from 'vitest'
import {
  createCountCache,
  ENTRY_BYTES,
  SHORTEST_CACHED_TEXT,
} from '../../../src/tokens/count-cache.ts'
import { createRandom } from './random.ts'

/** A text that is long enough to be cached, and another for every number. */
function textOf(number: number): string {
  return `${number} `.padEnd(SHORTEST_CACHED_TEXT + 10, 'text ')
}

function createCounted() {
  const counted: string[] = []
  return {
    counted,
    countTokens: (text: string) => {
      counted.push(text)
      return Number.parseInt(text, 10) * 3
    },
  }
}

describe('the count cache', () => {
  it('counts a text once', () => {
    const cache = createCountCache({ maxBytes: 100 * ENTRY_BYTES })
    const { counted, countTokens } = createCounted()
    const cached = cache.wrap(countTokens)
    expect(cached(textOf(7))).toBe(21)
    expect(cached(textOf(7))).toBe(21)
    expect(cached(textOf(8))).toBe(24)
    expect(counted).toHaveLength(2)
    expect(cache.stats()).toEqual({ hits: 1, misses: 2, entries: 2, bytes: 2 * ENTRY_BYTES })
  })

  it('does not look up texts that are counted sooner than hashed', () => {
    const cache = createCountCache({ maxBytes: 100 * ENTRY_BYTES })
    const { counted, countTokens } = createCounted()
    const cached = cache.wrap(countTokens)
    const short = '1'.padEnd(SHORTEST_CACHED_TEXT - 1)
    cached(short)
    cached(short)
    expect(counted).toHaveLength(2)
    expect(cache.stats()).toEqual({ hits: 0, misses: 0, entries: 0, bytes: 0 })
    cached(`${short} `)
    cached(`${short} `)
    expect(counted).toHaveLength(3)
  })

  it('never takes more than its bound, and keeps what was used last', () => {
    const maxBytes = 50 * ENTRY_BYTES + ENTRY_BYTES - 1
    const cache = createCountCache({ maxBytes })
    const { counted, countTokens } = createCounted()
    const cached = cache.wrap(countTokens)
    for (let number = 0; number < 50; number++) cached(textOf(number))
    cached(textOf(0))
    for (let number = 50; number < 99; number++) {
      cached(textOf(number))
      expect(cache.stats().bytes).toBeLessThanOrEqual(maxBytes)
    }
    expect(cache.stats().entries).toBe(50)
    const before = counted.length
    expect(cached(textOf(0))).toBe(0)
    for (let number = 50; number < 99; number++) expect(cached(textOf(number))).toBe(number * 3)
    expect(counted).toHaveLength(before)
    cached(textOf(1))
    expect(counted).toHaveLength(before + 1)
  })

  it('gives the same counts and evicts the same texts as a plain model of it', () => {
    const capacity = 37
    const cache = createCountCache({ maxBytes: capacity * ENTRY_BYTES })
    const { counted, countTokens } = createCounted()
    const cached = cache.wrap(countTokens)
    const model = new Map<number, number>()
    const random = createRandom(4)
    for (let round = 0; round < 20_000; round++) {
      const number = Math.min(random.below(80), random.below(80))
      const isKnown = model.delete(number)
      model.set(number, number * 3)
      if (model.size > capacity) model.delete(model.keys().next().value as number)
      const before = counted.length
      expect(cached(textOf(number))).toBe(number * 3)
      expect(counted.length - before, `round ${round}`).toBe(isKnown ? 0 : 1)
    }
  })

  it('keeps the counts of two counters apart', () => {
    const cache = createCountCache({ maxBytes: 100 * ENTRY_BYTES })
    const one = cache.wrap(() => 1)
    const two = cache.wrap(() => 2)
    expect([one(textOf(1)), two(textOf(1)), one(textOf(1)), two(textOf(1))]).toEqual([1, 2, 1, 2])
    expect(cache.stats()).toMatchObject({ hits: 2, misses: 2, entries: 2 })
  })

  it.each([0, -1, ENTRY_BYTES - 1])('caches nothing with a bound of %i bytes', (maxBytes) => {
    const cache = createCountCache({ maxBytes })
    const { counted, countTokens } = createCounted()
    const cached = cache.wrap(countTokens)
    cached(textOf(5))
    expect(cached(textOf(5))).toBe(15)
    expect(counted).toHaveLength(2)
    expect(cache.stats().bytes).toBe(0)
  })

  it('goes on after a counter that throws', () => {
    const cache = createCountCache({ maxBytes: 100 * ENTRY_BYTES })
    let isBroken = true
    const cached = cache.wrap(() => {
      if (isBroken) throw new Error('broken')
      return 4
    })
    expect(() => cached(textOf(1))).toThrow('broken')
    isBroken = false
    expect(cached(textOf(1))).toBe(4)
    expect(cache.stats()).toMatchObject({ entries: 1, misses: 2 })
  })
})
