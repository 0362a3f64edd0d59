/** W1: theirs ends over its target, deletes for nothing, and does not say so. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  idsOf,
  prose,
  sizeOf,
  toolExchange,
  user,
} from '../seeds/support.ts'
import { referenceCount } from '../tokens/reference-encodings.ts'

/** What the conversation takes by the reference tokeniser, framed as NeuroLink frames it. */
function measured(messages: readonly unknown[]): number {
  return messages.reduce<number>(
    (sum, message) =>
      sum + 4 + referenceCount('o200k_base', String((message as JsonObject).content)),
    24,
  )
}

describe('W1: a plain chat at a target of 5%', () => {
  it.each([
    [200, 70],
    [2_000, 70],
    [20_000, 16],
  ])('of %i messages fits', async (count, words) => {
    const messages = conversation(...chat(count, words))
    const targetTokens = Math.floor((await sizeOf(messages)) * 0.05)
    const { report, messages: returned } = await compactWith({ messages, targetTokens })
    expect(report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(measured(returned)).toBe(report.tokensAfter)
    expect(measured(returned)).toBeLessThanOrEqual(targetTokens)
  })
})

describe('W1: any target above the floor', () => {
  it('is met, each of 300 in a row', async () => {
    const messages = conversation(...chat(60))
    const { floor } = (await compactWith({ messages, targetTokens: 1e9 })).report
    for (let targetTokens = floor.tokens; targetTokens < floor.tokens + 300; targetTokens += 1) {
      const { report, messages: returned } = await compactWith({ messages, targetTokens })
      expect(report.fits).toBe(true)
      expect(measured(returned)).toBeLessThanOrEqual(targetTokens)
    }
  })
})

describe('W1: one giant message', () => {
  const plain = chat(95)
  const giant = prose(15_000, 'giant')

  it('of the user at the end: nothing is deleted for nothing, and the floor is told', async () => {
    const messages = conversation(...plain, user(giant))
    const result = await compactWith({ messages, targetTokens: 10_000 })
    expect(result.messages).toBe(messages)
    expect(result.report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(result.report.floor.pins['current-request']).toBeGreaterThan(20_000)
    expect(result.report.warnings.map(({ code }) => code)).toEqual(['budget-unreachable'])
  })

  it('of the user at the start, where the task stands: the same', async () => {
    const messages = conversation(user(giant), ...plain.slice(1))
    const result = await compactWith({ messages, targetTokens: 10_000 })
    expect(result.messages).toBe(messages)
    expect(result.report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(result.report.floor.pins['first-task']).toBeGreaterThan(20_000)
  })

  it.each<[string, JsonObject[]]>([
    ['the assistant', [assistant(giant)]],
    ['a tool', toolExchange('run', {}, giant)],
  ])('of %s at the end is shortened, and the rest of the talk stays', async (_, last) => {
    const messages = conversation(...plain, ...last)
    const result = await compactWith({ messages, targetTokens: 10_000 })
    expect(result.report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(measured(result.messages)).toBeLessThanOrEqual(10_000)
    expect(result.messages.length).toBeGreaterThan(40)
    expect(result.messages.at(-1)).toMatchObject({ content: expect.stringMatching(/omitted/) })
  })

  it('in a chat of five: the huge one is shortened, the four others stay', async () => {
    const messages = conversation(...chat(4), assistant(giant))
    const result = await compactWith({ messages, targetTokens: 2_000 })
    expect(result.report.fits).toBe(true)
    expect(measured(result.messages)).toBeLessThanOrEqual(2_000)
    expect(idsOf(result.messages)).toEqual(idsOf(messages))
    expect(result.messages.slice(0, 4)).toEqual(messages.slice(0, 4))
  })
})
