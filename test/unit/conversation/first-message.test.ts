import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import { fakeDecide } from '../../helpers/fake-ports.ts'
import { servicesWith } from '../seeds/support.ts'

const run = { signal: new AbortController().signal, modelSignal: new AbortController().signal }

describe('a conversation that a harness opens', () => {
  const messages = [
    { role: 'user', content: `[system] ${'context of the harness '.repeat(20)}` },
    { role: 'assistant', content: 'understood '.repeat(20) },
    { role: 'user', content: 'Fix the login form, please.' },
    ...Array.from({ length: 12 }, (_, index) => ({
      role: index % 2 === 0 ? 'assistant' : 'user',
      content: `turn ${index} says something `.repeat(10),
    })),
    { role: 'user', content: 'Go on.' },
  ]

  it('still begins with a user’s message when a model needs none of what it opens with', async () => {
    const decide = fakeDecide({ relevance: { msg__0: 0.01, msg__1: 0.9 } })
    const result = await compactConversation(
      { format: 'anthropic-messages', messages, targetTokens: 700, model: 'claude-opus-4-6' },
      servicesWith({ decide }),
      run,
    )
    expect(result.brokenRules).toEqual([])
    expect(result.report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(result.messages[0]).toBe(messages[0])
  })
})
