import { describe, expect, it } from 'vitest'
import {
  createEmbeddingCache,
  ENTRY_OVERHEAD_BYTES,
  keyOf,
} from '../../../../src/decide/minilm/embedding-cache.ts'

const WIDTH = 10
const ENTRY_BYTES = 4 * WIDTH + ENTRY_OVERHEAD_BYTES
const vector = (value: number) => new Float32Array(WIDTH).fill(value)

describe('createEmbeddingCache', () => {
  it('gives back the vector that it was given', () => {
    const cache = createEmbeddingCache(10 * ENTRY_BYTES)
    const one = vector(1)
    cache.set('a', one)
    expect(cache.get('a')).toBe(one)
    expect(cache.get('b')).toBeUndefined()
  })

  it('stays within its bytes and forgets what was not used for longest', () => {
    const cache = createEmbeddingCache(3 * ENTRY_BYTES + 1)
    for (const key of ['a', 'b', 'c']) cache.set(key, vector(1))
    cache.get('a')
    cache.set('d', vector(2))
    expect(cache.stats()).toEqual({ entries: 3, bytes: 3 * ENTRY_BYTES })
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('counts what is set again once', () => {
    const cache = createEmbeddingCache(10 * ENTRY_BYTES)
    cache.set('a', vector(1))
    cache.set('a', vector(2))
    expect(cache.get('a')?.[0]).toBe(2)
    expect(cache.stats()).toEqual({ entries: 1, bytes: ENTRY_BYTES })
  })

  it('keeps nothing where it has no room for one entry', () => {
    const cache = createEmbeddingCache(ENTRY_BYTES - 1)
    cache.set('a', vector(1))
    expect(cache.get('a')).toBeUndefined()
    expect(cache.stats()).toEqual({ entries: 0, bytes: 0 })
  })
})

describe('keyOf', () => {
  it('holds no word of the text, and is of one length', () => {
    const key = keyOf({ speaker: 'Ada', text: 'marmot '.repeat(1_000) })
    expect(key).toHaveLength(44)
    expect(key).not.toContain('marmot')
  })

  it('tells the speaker from the text', () => {
    const keys = [
      keyOf({ speaker: 'ab', text: 'cd' }),
      keyOf({ speaker: 'abc', text: 'd' }),
      keyOf({ text: 'abcd' }),
      keyOf({ text: '2:abcd' }),
    ]
    expect(new Set(keys).size).toBe(4)
    expect(keyOf({ text: 'abcd' })).toBe(keys[2])
  })
})
