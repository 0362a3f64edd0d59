/** W20: theirs sends each text twice with the same instructions, is refused beyond some 113 messages, and drops nothing. */
import { describe, expect, it } from 'vitest'
import { systemOneTokens } from '../../helpers/decide-servers/system-one-rules.ts'
import { estimateTokens } from '../../helpers/decide-servers/validation.ts'
import { chat, compactWith, conversation, only, sizeOf, user } from '../seeds/support.ts'
import { systemOneRun } from './system-one-run.ts'

describe('W20: a batch of 300 messages with full previews', () => {
  // Over 1,200 characters each.
  const messages = conversation(user('The task.'), ...chat(306, 240))

  it('fits the server, is answered whole, and drops what is not needed', async () => {
    expect(String(messages[1]?.content).length).toBeGreaterThan(1_200)
    const { server, decide, sent } = await systemOneRun({ answer: () => 0.01 }, estimateTokens)
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith(
      { messages, targetTokens, options: only('relevance') },
      { decide },
    )
    expect(result.report.relevance).toMatchObject({ asked: 300, answered: 300, dropped: 150 })
    expect(result.report.relevance).not.toHaveProperty('failOpen')
    expect(server.requests.length).toBeLessThanOrEqual(8)
    for (const { json } of server.requests) {
      const { longest, total } = systemOneTokens(json as never)
      expect(longest).toBeLessThanOrEqual(32_000)
      expect(total).toBeLessThanOrEqual(64_000)
    }
    const asked = sent().flatMap(({ questions }) => Object.keys(questions))
    expect(new Set(asked).size).toBe(300)
  })

  it('has each text once, and the rule once in a request and not in every question', async () => {
    const { decide, sent } = await systemOneRun({}, estimateTokens)
    const targetTokens = (await sizeOf(messages)) - 1
    await compactWith({ messages, targetTokens }, { decide })
    const all = sent()
      .map(({ text }) => text)
      .join('\n')
    for (const index of [1, 2, 150, 299, 300]) {
      const start = String(messages[index]?.content).slice(0, 60)
      expect(all.split(start)).toHaveLength(2)
    }
    for (const { text, questions } of sent()) {
      expect(text.split('small talk')).toHaveLength(2)
      for (const { instructions } of Object.values(questions)) {
        expect(instructions.length).toBeLessThan(140)
      }
    }
  })
})

describe('W20: a server that counts more than its client', () => {
  it('is asked again for half as much, and answers', async () => {
    const messages = conversation(user('The task.'), ...chat(46, 120))
    const { decide, server } = await systemOneRun({ answer: () => 0.01, maxTokensLongest: 8_000 })
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith(
      { messages, targetTokens, options: only('relevance') },
      { decide },
    )
    expect(server.requests.length).toBeGreaterThan(1)
    expect(result.report.relevance?.answered).toBeGreaterThan(30)
    expect(result.report.stagesUsed).toEqual(['relevance'])
  })
})
