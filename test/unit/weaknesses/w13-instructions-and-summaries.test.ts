/** W13: theirs keeps a system message in the first two places alone, summarises a leading one, and drops summaries. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FormatId } from '../../../src/formats/adapter.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { chat, compactWith, conversation, only, sizeOf, system, user } from '../seeds/support.ts'

const RULE = system('Never touch the production database.')

function withSystemAt(place: number): JsonObject[] {
  const messages = chat(40)
  messages.splice(place, 0, RULE)
  return conversation(...messages)
}

describe('W13: a system message', () => {
  it.each([0, 1, 2, 17, 33, 40])('at place %i survives every stage', async (place) => {
    const messages = withSystemAt(place)
    for (const stage of ['truncate', 'collapse', 'summarize'] as const) {
      for (const share of [0.8, 0.4]) {
        const summarize = fakeSummarizer(['1. Primary Request and Intent: chat.'])
        const targetTokens = Math.floor((await sizeOf(messages)) * share)
        const result = await compactWith(
          { messages, targetTokens, options: only(stage) },
          { summarize },
        )
        expect(result.report.stagesUsed).toEqual([stage])
        expect(result.messages).toContain(messages[place])
        for (const { input } of summarize.requests) expect(input).not.toContain('production')
      }
    }
  })

  it.each(['openai-chat'] as FormatId[])(
    'and a developer message in %s as well',
    async (format) => {
      const rule = { role: 'developer', content: 'Never touch the production database.' }
      const messages = [...chat(10), rule, ...chat(30)]
      const result = await compactWith({ format, messages, targetTokens: 1_200 })
      expect(result.report.outcome).toBe('compacted')
      expect(result.messages).toContain(rule)
    },
  )

  it('stays where nothing else fits: the conversation is never emptied of it', async () => {
    const messages = withSystemAt(0)
    const result = await compactWith({ messages, targetTokens: 20 })
    expect(result.messages).toBe(messages)
    expect(result.report).toMatchObject({ fits: false, outcome: 'unchanged' })
  })
})

describe('W13: an existing summary', () => {
  it.each([1, 2, 9, 25])('at place %i survives truncation and collapse', async (place) => {
    const messages = chat(40)
    const summary = user('[Previous conversation summary]:\n\n1. Primary Request and Intent: it.', {
      metadata: { isSummary: true },
    })
    messages.splice(place, 0, summary)
    const posted = conversation(...messages)
    for (const stage of ['truncate', 'collapse'] as const) {
      const targetTokens = Math.floor((await sizeOf(posted)) * 0.4)
      const result = await compactWith({ messages: posted, targetTokens, options: only(stage) })
      expect(result.report.stagesUsed).toEqual([stage])
      expect(result.messages).toContain(posted[place])
    }
  })
})
