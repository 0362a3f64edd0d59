import { describe, expect, it } from 'vitest'
import { playSession } from '../../../eval/prompt-cache/play-session.ts'
import { createProviderCache, type Message } from '../../../eval/prompt-cache/provider-cache.ts'
import type { CacheSession } from '../../../eval/prompt-cache/sessions.ts'
import { costOf, meanGone, prefixKept, toTable } from '../../../eval/prompt-cache/table.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { servicesWith } from '../seeds/support.ts'

const messages = (...texts: string[]): Message[] => texts.map((text) => ({ text, tokens: 1_000 }))

describe('the simulated cache', () => {
  it('reads the longest prefix that was sent before, and writes the rest', () => {
    const cache = createProviderCache(500)
    expect(cache.send(messages('a', 'b'))).toEqual({
      read: 0,
      written: 2_500,
      rest: 0,
      cost: 3_125,
    })
    expect(cache.send(messages('a', 'b', 'c'))).toEqual({
      read: 2_500,
      written: 1_000,
      rest: 0,
      cost: 1_500,
    })
    expect(cache.send(messages('a', 'x', 'c'))).toMatchObject({ read: 1_500, written: 2_000 })
    // What an earlier request has written is there still.
    expect(cache.send(messages('a', 'b', 'c', 'd'))).toMatchObject({ read: 3_500, written: 1_000 })
  })

  it('reads nothing where the first message differs, if by one byte', () => {
    const cache = createProviderCache(500)
    cache.send(messages('a', 'b'))
    expect(cache.send(messages('a ', 'b'))).toMatchObject({ read: 0, written: 2_500 })
  })

  it('keeps messages apart that come to the same text together', () => {
    const cache = createProviderCache(0)
    cache.send(messages('ab', 'c'))
    expect(cache.send(messages('a', 'bc'))).toMatchObject({ read: 0 })
  })

  it('neither reads nor writes below 1,024 tokens', () => {
    const cache = createProviderCache(23)
    expect(cache.send(messages('a'))).toEqual({ read: 0, written: 0, rest: 1_023, cost: 1_023 })
    expect(cache.send(messages('a', 'b'))).toMatchObject({ read: 0, written: 2_023 })
    expect(createProviderCache(24).send(messages('a'))).toMatchObject({ written: 1_024, rest: 0 })
  })
})

const words = (index: number) =>
  Array.from({ length: 60 }, (_, word) => `note ${index * 100 + word}`).join(' ')

const session: CacheSession = {
  name: 'talk',
  format: 'openai-chat',
  beside: { model: 'gpt-4o' },
  messages: Array.from(
    { length: 59 },
    (_, index): JsonObject => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: words(index),
    }),
  ),
}

const WINDOW = 3_500

describe('a session that is played against it', () => {
  it('ends at the window without Precis, and goes on where there is none', async () => {
    const bound = await playSession(
      session,
      { kind: 'none', hasWindow: true },
      WINDOW,
      servicesWith(),
    )
    const free = await playSession(
      session,
      { kind: 'none', hasWindow: false },
      WINDOW,
      servicesWith(),
    )
    expect(bound.turns.every(({ posted }) => posted <= WINDOW)).toBe(true)
    expect(bound.failedAt).toBe(bound.turns.length + 1)
    expect(free.turns[bound.turns.length]?.posted).toBeGreaterThan(WINDOW)
    expect(free.turns).toHaveLength(30)
    expect(free.failedAt).toBeUndefined()
    expect(free.turns.every(({ goesOn, dropped }) => goesOn && dropped === 0)).toBe(true)
  })

  it('keeps the prefix between steps, and loses it on every turn without them', async () => {
    const steps = await playSession(
      session,
      { kind: 'steps', lowWater: 0.5 },
      WINDOW,
      servicesWith(),
    )
    const each = await playSession(session, { kind: 'each-turn' }, WINDOW, servicesWith())
    const changes = (turns: typeof each.turns) => turns.filter(({ goesOn }) => !goesOn).length
    expect(prefixKept(steps.turns)).toBe(1)
    expect(changes(steps.turns)).toBeGreaterThan(0)
    expect(changes(each.turns)).toBeGreaterThan(2 * changes(steps.turns))
    expect(costOf(steps)).toBeLessThan(costOf(each))
    expect(meanGone(steps)).toBeGreaterThan(meanGone(each))
    expect([...steps.turns, ...each.turns].every(({ sent }) => sent <= WINDOW)).toBe(true)
    const table = toTable([{ name: 'steps', played: steps }])
    expect(table.split('\n')).toHaveLength(3)
    expect(table).toContain(
      `| steps | 30 | ${steps.turns.reduce((sum, { sent }) => sum + sent, 0).toLocaleString('en-US')} |`,
    )
  })
})

describe('prefixKept', () => {
  const turn = {
    read: 0,
    written: 0,
    rest: 0,
    cost: 0,
    posted: 0,
    sent: 0,
    dropped: 0,
    rewritten: 0,
  }

  it('looks at turns without a compaction of their own alone', () => {
    const first = { ...turn, goesOn: true, isCompaction: false }
    const step = { ...turn, goesOn: false, isCompaction: true }
    const broken = { ...turn, goesOn: false, isCompaction: false }
    expect(prefixKept([first, step, first])).toBe(1)
    expect(prefixKept([first, step, first, broken])).toBe(0.5)
    expect(prefixKept([first, step])).toBeUndefined()
  })
})
