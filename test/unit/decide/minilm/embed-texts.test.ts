import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SpokenText } from '../../../../src/decide/embedded/read-bounded.ts'
import { createEmbedTexts } from '../../../../src/decide/minilm/embed-texts.ts'
import { createEmbeddingCache } from '../../../../src/decide/minilm/embedding-cache.ts'

const NEVER = Number.POSITIVE_INFINITY
const CACHE_BYTES = 1_000_000
const texts = (...said: string[]): SpokenText[] => said.map((text) => ({ text }))
const many = (count: number) => texts(...Array.from({ length: count }, (_, index) => `t${index}`))
const freely = () => ({ signal: new AbortController().signal, giveUpAt: NEVER })

/** An encoder that takes its time and says what it was asked, and how much of it at once. */
function slowEncoder(milliseconds: number, cacheBytes = CACHE_BYTES) {
  const asked: string[] = []
  let running = 0
  let most = 0
  const cache = createEmbeddingCache(cacheBytes)
  const embedTexts = createEmbedTexts({
    cache,
    embed: async ({ text }) => {
      asked.push(text)
      running += 1
      most = Math.max(most, running)
      await sleep(milliseconds)
      running -= 1
      return Float32Array.of(text.length, Number(text.slice(1)))
    },
  })
  return { embedTexts, asked, cache, mostAtOnce: () => most }
}

/** An encoder that answers nothing until it is told to, and from then on at once. Its clock stands at 0. */
function heldEncoder() {
  const asked: string[] = []
  let isHeld = true
  let letGo = (): void => undefined
  const told = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const cache = createEmbeddingCache(CACHE_BYTES)
  const embedTexts = createEmbedTexts({
    cache,
    now: () => 0,
    embed: async ({ text }) => {
      asked.push(text)
      if (isHeld) await told
      return Float32Array.of(text.length)
    },
  })
  const answer = async (): Promise<void> => {
    isHeld = false
    letGo()
    await nextTurn()
  }
  return { embedTexts, asked, cache, answer }
}

describe('createEmbedTexts', () => {
  it('gives one vector for each text, in order', async () => {
    const { embedTexts } = slowEncoder(1)
    const vectors = await embedTexts(many(20), freely())
    expect(vectors?.map((vector) => vector[1])).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  it('embeds the same text once, within a call and across calls', async () => {
    const { embedTexts, asked } = slowEncoder(1)
    await embedTexts(texts('t1', 't2', 't1'), freely())
    await embedTexts(texts('t2', 't3'), freely())
    expect(asked).toEqual(['t1', 't2', 't3'])
  })

  it('embeds again what it could not remember', async () => {
    const { embedTexts, asked } = slowEncoder(1, 0)
    const first = await embedTexts(texts('t1'), freely())
    const again = await embedTexts(texts('t1'), freely())
    expect(again).toEqual(first)
    expect(asked).toEqual(['t1', 't1'])
  })

  it('has two texts at the encoder at most, however many there are', async () => {
    const { embedTexts, mostAtOnce } = slowEncoder(1)
    await embedTexts(many(50), freely())
    expect(mostAtOnce()).toBe(2)
  })

  it('gives up when its time is up, waits for no text and begins none after', async () => {
    const { embedTexts, asked, answer } = heldEncoder()
    expect(await embedTexts(many(10), { ...freely(), giveUpAt: 20 })).toBeUndefined()
    await answer()
    expect(asked).toEqual(['t0', 't1'])
  })

  it('remembers what came late, so that the next call gets further', async () => {
    const { embedTexts, asked, cache, answer } = heldEncoder()
    expect(await embedTexts(many(4), { ...freely(), giveUpAt: 20 })).toBeUndefined()
    expect(cache.stats().entries).toBe(0)
    await answer()
    expect(cache.stats().entries).toBe(2)
    expect(await embedTexts(many(4), freely())).toHaveLength(4)
    expect(asked).toEqual(['t0', 't1', 't2', 't3'])
  })

  it('gives up when the signal is aborted, and waits for no text', async () => {
    const { embedTexts, asked } = heldEncoder()
    const controller = new AbortController()
    const pending = embedTexts(many(3), { signal: controller.signal, giveUpAt: NEVER })
    expect(asked).toHaveLength(2)
    controller.abort()
    expect(await pending).toBeUndefined()
  })

  it('asks nothing for a call that has no time or is over', async () => {
    const { embedTexts, asked } = slowEncoder(1)
    expect(await embedTexts(many(3), { signal: AbortSignal.abort(), giveUpAt: NEVER })).toBe(
      undefined,
    )
    expect(
      await embedTexts(many(3), { signal: new AbortController().signal, giveUpAt: 0 }),
    ).toBeUndefined()
    expect(asked).toEqual([])
  })

  it('is never late where all is remembered but the time is up', async () => {
    const cache = createEmbeddingCache(CACHE_BYTES)
    let time = 0
    const embedTexts = createEmbedTexts({
      cache,
      now: () => time,
      embed: async () => {
        time = 100
        return Float32Array.of(1)
      },
    })
    const limits = { signal: new AbortController().signal, giveUpAt: 50 }
    expect(await embedTexts(texts('t1'), limits)).toBeUndefined()
    expect(cache.stats().entries).toBe(1)
  })

  it('rejects where the encoder does, and asks it nothing more', async () => {
    let asked = 0
    const embedTexts = createEmbedTexts({
      cache: createEmbeddingCache(CACHE_BYTES),
      embed: async () => {
        asked += 1
        throw new Error('no encoder')
      },
    })
    await expect(embedTexts(many(10), freely())).rejects.toThrow('no encoder')
    expect(asked).toBe(2)
  })
})
