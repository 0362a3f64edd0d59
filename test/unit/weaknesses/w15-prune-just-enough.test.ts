/** W15: theirs clears all that is old, lengthens tiny results, never touches the newest, and forgets the tool. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  chat,
  compactWith,
  conversation,
  countTokens,
  goneIds,
  only,
  prose,
  sizeOf,
  textsOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

const PRUNE = { ...only('prune'), prune: { protectTokens: 0, minimumSavings: 0 } }

/** Indexes of the messages whose text is not the posted one. */
function changed(messages: readonly JsonObject[], returned: readonly unknown[]): number[] {
  return messages.flatMap((message, index) => (returned[index] === message ? [] : [index]))
}

describe('W15: pruning', () => {
  const outputs = [1, 2, 3, 4, 5].map((step) => prose(200, `output${step}`))
  const messages = conversation(
    user('Run it.'),
    ...outputs.flatMap((output, step) => toolExchange('run', { step }, output)),
    ...chat(6, 20),
  )
  const each = countTokens(outputs[0] ?? '')

  it.each([
    [1, [2]],
    [each + 1, [2, 4]],
    [3 * each, [2, 4, 6, 8]],
  ])(
    'clears the oldest output and no more than the target needs (%i tokens)',
    async (excess, cleared) => {
      const targetTokens = (await sizeOf(messages)) - excess
      const result = await compactWith({ messages, targetTokens, options: PRUNE })
      expect(changed(messages, result.messages)).toEqual(cleared)
      expect(result.report.fits).toBe(true)
    },
  )

  it('spares an older output again where a later one is enough by itself', async () => {
    const posted = conversation(
      user('Run it.'),
      ...toolExchange('run', { step: 0 }, prose(40, 'small')),
      ...toolExchange('run', { step: 1 }, prose(400, 'large')),
      ...chat(6, 20),
    )
    const targetTokens = (await sizeOf(posted)) - 450
    const result = await compactWith({ messages: posted, targetTokens, options: PRUNE })
    expect(changed(posted, result.messages)).toEqual([4])
    expect(result.report.fits).toBe(true)
  })

  it('never replaces a result by something longer', async () => {
    const tiny = ['ok', 'exit 0', '', 'done', '0'].flatMap((text) => toolExchange('run', {}, text))
    const posted = conversation(user('Run it.'), ...tiny, ...messages.slice(1))
    const targetTokens = Math.floor((await sizeOf(posted)) * 0.4)
    const result = await compactWith({ messages: posted, targetTokens, options: PRUNE })
    expect(changed(posted, result.messages)).toEqual([12, 14, 16, 18])
    expect(textsOf(result.messages).slice(0, 11)).toEqual(textsOf(posted).slice(0, 11))
  })

  it('says which tool it was, and leaves its call with its arguments', async () => {
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({ messages, targetTokens, options: PRUNE })
    expect(result.messages[1]).toBe(messages[1])
    expect(result.messages[2]).toMatchObject({
      content: '[Tool result cleared: run]',
      metadata: { truncated: true },
    })
  })

  it('clears what failed last', async () => {
    const failing = conversation(
      user('Run it.'),
      ...toolExchange('run', { step: 0 }, outputs[0] ?? '', { result: { success: false } }),
      ...messages.slice(3).map(({ id: _, ...message }) => message),
    )
    const targetTokens = (await sizeOf(failing)) - 1
    const result = await compactWith({ messages: failing, targetTokens, options: PRUNE })
    expect(changed(failing, result.messages)).toEqual([4])
  })

  it('knows the results of OpenAI’s role `tool`', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'run', arguments: '{}' } }
    const posted = [
      user('Run it.'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: prose(200, 'output') },
      ...chat(6, 20),
    ]
    const base = { format: 'openai-chat', messages: posted, options: PRUNE } as const
    const { tokensBefore } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const result = await compactWith({ ...base, targetTokens: tokensBefore - 1 })
    expect(textsOf(result.messages)[2]).toBe('[Tool result cleared: run]')
  })
})

describe('W15: a newest result that is larger than all the rest', () => {
  it('is shortened, and the small older ones stay', async () => {
    const messages = conversation(
      user('Run it.'),
      ...Array.from({ length: 10 }, (_, step) =>
        toolExchange('run', { step }, prose(30, `small${step}`)),
      ).flat(),
      ...toolExchange('dump', {}, prose(60_000, 'dump')),
    )
    const result = await compactWith({ messages, targetTokens: 8_000 })
    expect(result.report.fits).toBe(true)
    expect(goneIds(messages, result)).toEqual([])
    expect(changed(messages, result.messages)).toEqual([22])
  })
})
