/** What NeuroLink's own tests of its compactor, window, pruning and deduplication assert. */
import { describe, expect, it } from 'vitest'
import type { OptionOverrides } from '../../../src/engine/options.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  countTokens,
  idsOf,
  only,
  prose,
  rolesOf,
  sizeOf,
  stageOf,
  textsOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

describe('NeuroLink asserts of its compactor', () => {
  it('that a conversation under its target comes back equal, with no stage used', async () => {
    const messages = conversation(...chat(10))
    const { report, messages: returned } = await compactWith({ messages, targetTokens: 100_000 })
    expect(report).toMatchObject({
      outcome: 'unchanged',
      stagesUsed: [],
      tokensAfter: report.tokensBefore,
    })
    expect(returned).toEqual(messages)
  })

  it('that oversized tool outputs are pruned and tokens saved', async () => {
    const messages = conversation(
      user('Run it.'),
      ...Array.from({ length: 6 }, (_, step) =>
        toolExchange('run', { step }, prose(9_000, `output${step}`)),
      ).flat(),
      assistant('Done.'),
    )
    const { report } = await compactWith({ messages, targetTokens: 60_000 })
    expect(report.stagesUsed).toContain('prune')
    expect(report.tokensBefore - report.tokensAfter).toBeGreaterThan(0)
    expect(report.fits).toBe(true)
  })

  it('that 100 messages at a target of 1,000 are compacted', async () => {
    const { report } = await compactWith({
      messages: conversation(...chat(100)),
      targetTokens: 1_000,
    })
    expect(report.outcome).toBe('compacted')
    expect(report.tokensBefore - report.tokensAfter).toBeGreaterThan(0)
    expect(report.tokensAfter).toBeLessThanOrEqual(1_000)
  })

  it('that truncation is used when all other stages are off', async () => {
    const messages = conversation(...chat(100))
    const result = await compactWith({ messages, targetTokens: 1_000, options: only('truncate') })
    expect(result.report.stagesUsed).toEqual(['truncate'])
    expect(result.messages.length).toBeLessThan(messages.length)
  })

  it('an option that is undefined does not erase its default', async () => {
    const messages = conversation(...chat(100))
    const options = { truncate: { enabled: undefined }, protectRecent: undefined }
    const { report } = await compactWith({
      messages,
      targetTokens: 1_000,
      options: options as unknown as OptionOverrides,
    })
    expect(report).toMatchObject({ fits: true, stagesUsed: ['truncate'] })
  })
})

describe('NeuroLink asserts of its sliding window', () => {
  it('that four messages without a target of their own are untouched', async () => {
    const messages = conversation(...chat(4))
    const result = await compactWith({ messages, options: only('truncate') })
    expect(result.messages).toBe(messages)
  })

  it('that the first message stays and a marker with its id stands after it', async () => {
    const messages = conversation(...chat(60))
    const result = await compactWith({ messages, targetTokens: 1_200, options: only('truncate') })
    const [first, marker] = result.messages
    expect(first).toBe(messages[0])
    expect(marker).toEqual({
      id: expect.stringMatching(/^truncation-/),
      role: 'assistant',
      content: expect.stringContaining('truncated'),
      isTruncationMarker: true,
    })
    expect(result.messages.length).toBeLessThan(messages.length)
  })

  it('and what it means by removing an even number: turns alternate as before', async () => {
    const messages = conversation(...chat(60))
    for (const targetTokens of [800, 1_200, 1_700, 2_900]) {
      const result = await compactWith({ messages, targetTokens, options: only('truncate') })
      const roles = rolesOf(result.messages)
      expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')))
    }
  })
})

describe('NeuroLink asserts of pruning', () => {
  const outputs = [1, 2, 3, 4].map((step) => prose(500, `output${step}`))
  const messages = conversation(
    user('Run it.'),
    ...outputs.flatMap((output, step) =>
      toolExchange(step === 0 ? 'skill' : 'run', { step }, output),
    ),
    ...chat(6, 20),
  )

  const prune = async (options: NonNullable<OptionOverrides['prune']> = {}) =>
    compactWith({
      messages,
      targetTokens: (await sizeOf(messages)) - 2 * countTokens(outputs[0] ?? '') + 100,
      options: { ...only('prune'), prune: { protectTokens: 500, minimumSavings: 500, ...options } },
    })

  it('that older output beyond the window is cleared and the last is kept', async () => {
    const texts = textsOf((await prune()).messages)
    expect(texts[4]).toBe('[Tool result cleared: run]')
    expect(texts[6]).toBe('[Tool result cleared: run]')
    expect(texts[8]).toBe(outputs[3])
  })

  it('that a protected tool is never pruned', async () => {
    const texts = textsOf((await prune()).messages)
    expect(texts[2]).toBe(outputs[0])
    expect(textsOf((await prune({ protectedTools: ['run'] })).messages).slice(4)).toEqual(
      textsOf(messages).slice(4),
    )
  })

  it('that nothing is pruned below the minimum savings', async () => {
    const result = await prune({ minimumSavings: 5_000 })
    expect(stageOf(result, 'prune').status).toBe('no-change')
    expect(result.messages).toBe(messages)
  })

  it('that the texts of user and assistant are untouched', async () => {
    const result = await prune()
    for (const index of [0, 9, 10, 11, 12, 13, 14]) {
      expect(result.messages[index]).toBe(messages[index])
    }
  })
})

describe('NeuroLink asserts of deduplication', () => {
  const dedupe = async (...reads: readonly [path: string, text: string][]) => {
    const messages = conversation(
      user('Look.'),
      ...reads.flatMap(([path, text]) => toolExchange('readFile', { path }, text)),
      ...chat(6, 20),
    )
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({ messages, targetTokens, options: only('deduplicate') })
    return { messages, result, texts: textsOf(result.messages) }
  }
  const superseded = '[Superseded: the file was read again later]'

  it('that of two reads of a file the earlier is replaced and the later kept', async () => {
    const { texts } = await dedupe(['a.ts', prose(60, 'v1')], ['a.ts', prose(60, 'v2')])
    expect([texts[2], texts[4]]).toEqual([superseded, prose(60, 'v2')])
  })

  it('and of three only the last', async () => {
    const { texts } = await dedupe(
      ['a.ts', prose(60, 'v1')],
      ['a.ts', prose(60, 'v2')],
      ['a.ts', prose(60, 'v3')],
    )
    expect([texts[2], texts[4], texts[6]]).toEqual([superseded, superseded, prose(60, 'v3')])
  })

  it('that different paths are untouched', async () => {
    const { messages, result } = await dedupe(['a.ts', prose(60, 'v1')], ['b.ts', prose(60, 'v2')])
    expect(result.messages).toBe(messages)
    expect(idsOf(result.messages)).toEqual(idsOf(messages))
  })
})
