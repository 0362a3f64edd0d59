/** W22: theirs drops a message when its probability is NaN or out of range. */
import { describe, expect, it } from 'vitest'
import { chat, compactWith, conversation, judge, only, sizeOf, user } from '../seeds/support.ts'
import { systemOneRun } from './system-one-run.ts'

const MESSAGES = conversation(user('The task.'), ...chat(12))
const TARGET = (await sizeOf(MESSAGES)) - 1

describe('W22: what is no probability', () => {
  it.each([
    Number.NaN,
    -5,
    -1e-9,
    1 + 1e-9,
    11,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ])('is no answer: %d keeps the message', async (probability) => {
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: TARGET, options: only('relevance') },
      { decide: judge(probability) },
    )
    expect(result.messages).toBe(MESSAGES)
    expect(result.report.relevance).toMatchObject({ asked: 6, answered: 0, flagged: 0 })
  })

  it.each(['null', 'string', 'above-one', 'below-zero', 'wrong-types', 'missing-ids'] as const)(
    'is no answer over the wire: %s keeps the message and no other',
    async (fault) => {
      const { server, decide } = await systemOneRun({ answer: () => 0.01 })
      server.setFault(fault)
      const result = await compactWith(
        { messages: MESSAGES, targetTokens: TARGET, options: only('relevance') },
        { decide },
      )
      expect(result.report.relevance).toMatchObject({ asked: 6, answered: 5, flagged: 5 })
      expect(result.messages).toContain(MESSAGES[1])
    },
  )

  it('is no reason to lose the conversation: a body in which NaN stands changes nothing', async () => {
    const { server, decide } = await systemOneRun({ answer: () => 0.01 })
    server.setFault('nan')
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: TARGET, options: only('relevance') },
      { decide },
    )
    expect(result.messages).toBe(MESSAGES)
    expect(result.report.relevance?.failOpen).toBeDefined()
  })
})
