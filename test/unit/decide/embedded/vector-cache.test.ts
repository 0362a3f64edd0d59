import { describe, expect, it } from 'vitest'
import { createVectorCache, ENTRY_BYTES } from '../../../../src/decide/embedded/vector-cache.ts'

/** Adds the length of every part that is read to the first place, and counts the calls. */
function countingCache(maxBytes: number) {
  let parts = 0
  const cache = createVectorCache(
    () => (text, sum) => {
      parts += 1
      sum[0] = (sum[0] ?? 0) + text.length
    },
    maxBytes,
  )
  return { ...cache, partsRead: () => parts }
}

describe('createVectorCache', () => {
  it('embeds a message once and remembers its vector', () => {
    const cache = countingCache(1_000_000)
    const first = cache.vectorOf({ text: 'abcd' })
    const read = cache.partsRead()
    expect(cache.vectorOf({ text: 'abcd' })).toBe(first)
    expect(cache.partsRead()).toBe(read)
    expect(first.length).toBe(4)
    expect(cache.vectorOf({ text: 'abcde' }).length).toBe(5)
  })

  it('takes the speaker for a part of the message, and for no part of its text', () => {
    const cache = countingCache(1_000_000)
    expect(cache.vectorOf({ speaker: 'ab', text: 'cd' }).length).toBe(4)
    const vectors = [
      cache.vectorOf({ speaker: 'ab', text: 'cd' }),
      cache.vectorOf({ speaker: 'abc', text: 'd' }),
      cache.vectorOf({ text: 'abcd' }),
      cache.vectorOf({ text: '2:abcd' }),
    ]
    expect(new Set(vectors).size).toBe(4)
  })

  it('stays within its bytes, and forgets what was not used for longest', () => {
    const cache = countingCache(3 * ENTRY_BYTES + 1)
    const [one, two, three] = ['a', 'bb', 'ccc'].map((text) => cache.vectorOf({ text }))
    cache.vectorOf({ text: 'a' })
    cache.vectorOf({ text: 'dddd' })
    expect(cache.stats()).toEqual({ entries: 3, bytes: 3 * ENTRY_BYTES })
    expect(cache.vectorOf({ text: 'a' })).toBe(one)
    expect(cache.vectorOf({ text: 'ccc' })).toBe(three)
    expect(cache.vectorOf({ text: 'bb' })).not.toBe(two)
  })

  it('keeps nothing where it may not', () => {
    const cache = countingCache(0)
    expect(cache.vectorOf({ text: 'abc' })).toEqual(cache.vectorOf({ text: 'abc' }))
    expect(cache.stats()).toEqual({ entries: 0, bytes: 0 })
  })

  it('reads the beginning and the end of a long text', () => {
    const cache = countingCache(0)
    expect(cache.vectorOf({ text: 'x'.repeat(1_000_000) }).length).toBe(65_536)
  })
})
