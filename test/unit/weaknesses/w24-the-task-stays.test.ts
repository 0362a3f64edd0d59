/** W24: theirs may drop the task itself and OpenAI's tool calls, and names no message that it dropped. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FormatId } from '../../../src/formats/adapter.ts'
import {
  askedMessages,
  chat,
  compactWith,
  conversation,
  judge,
  only,
  sizeOf,
  user,
} from '../seeds/support.ts'

describe('W24: the first task', () => {
  it.each(['neurolink', 'openai-chat', 'anthropic-messages'] as FormatId[])(
    'is not even asked about in %s, and no stage drops it',
    async (format) => {
      const plain = [user('Migrate the database.'), ...chat(31).slice(1)]
      const messages = format === 'neurolink' ? conversation(...plain) : plain
      const decide = judge(0)
      const { report } = await compactWith({ format, messages, targetTokens: 1e9 })
      for (const stage of ['relevance', 'collapse', 'truncate'] as const) {
        const targetTokens = Math.floor(report.tokensBefore * 0.7)
        const options = {
          ...only(stage),
          relevance: { enabled: stage === 'relevance', maxDropRatio: 1 },
        }
        const result = await compactWith({ format, messages, targetTokens, options }, { decide })
        expect(result.report.stagesUsed).toEqual([stage])
        expect(result.messages[0]).toBe(messages[0])
      }
      expect(askedMessages(decide)).not.toContain(0)
      expect(askedMessages(decide).length).toBeGreaterThan(20)
    },
  )

  it('is the first that the user speaks, behind instructions and injected notices', async () => {
    const messages = conversation(
      { role: 'system', content: 'Be brief.' },
      user('[system] Signed in.'),
      user('Migrate the database.'),
      ...chat(14),
    )
    const decide = judge(0)
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({ messages, targetTokens }, { decide })
    expect(result.messages).toContain(messages[2])
    expect(askedMessages(decide)).not.toContain(2)
  })
})

describe('W24: a text with tool calls in OpenAI’s format', () => {
  it('is not eligible', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'run', arguments: '{}' } }
    const turn: JsonObject[] = [
      { role: 'assistant', content: 'I will run it.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ]
    const messages = [user('The task.'), ...turn, ...chat(10)]
    const base = { format: 'openai-chat', messages } as const
    const { tokensBefore } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const decide = judge(0)
    await compactWith({ ...base, targetTokens: tokensBefore - 1 }, { decide })
    expect(askedMessages(decide)).toEqual([3, 4, 5, 6])
  })
})

describe('W24: what was dropped', () => {
  it('is named by number and id, with the probability that it went by', async () => {
    const messages = conversation(user('The task.'), ...chat(10))
    const targetTokens = (await sizeOf(messages)) - 1
    const { report } = await compactWith(
      { messages, targetTokens, options: only('relevance') },
      { decide: judge(1, { 2: 0.03 }) },
    )
    expect(report.actions).toEqual([
      {
        index: 2,
        id: 'm2',
        stage: 'relevance',
        action: 'dropped',
        reason: 'not-needed',
        probability: 0.03,
        confidence: expect.closeTo(0.94),
        tokensBefore: expect.any(Number),
        tokensAfter: 0,
      },
    ])
    expect(report.actions[0]?.tokensBefore).toBe(report.tokensBefore - report.tokensAfter)
  })
})
