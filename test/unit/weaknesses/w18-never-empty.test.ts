/** W18: theirs returns an empty list in an emergency, drops the instructions there, and is quadratic. */
import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { processorTime, TIMED } from '../../helpers/timed.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'
import {
  chat,
  compactWith,
  conversation,
  prose,
  servicesWith,
  sizeOf,
  system,
  toolExchange,
  user,
} from '../seeds/support.ts'

describe('W18: a conversation that cannot fit', () => {
  const large = conversation(...chat(20, 1_400))

  it('of 20 messages of 2,000 tokens for 1,200 comes back as it is, and says so', async () => {
    const result = await compactWith({ messages: large, targetTokens: 1_200 })
    expect(result.messages).toBe(large)
    expect(result.report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(result.report.floor.tokens).toBeGreaterThan(1_200)
  })

  it('because its overhead takes the whole window comes back as it is', async () => {
    const files = [{ tokens: 60_000 }]
    const result = await compactWith({ messages: large, contextWindow: 64_000, files })
    expect(result.budget.arithmetic?.target.value).toBe(0)
    expect(result.messages).toBe(large)
    expect(result.report.fits).toBe(false)
  })

  it('is never emptied at any target, and never opens with half an exchange', async () => {
    const messages = conversation(
      system('Never touch production.'),
      user('The task.'),
      ...Array.from({ length: 12 }, (_, step) =>
        toolExchange('run', { step }, prose(150, `output${step}`)),
      ).flat(),
      ...chat(8, 60),
    )
    const size = await sizeOf(messages)
    for (let targetTokens = 1; targetTokens < size; targetTokens += 97) {
      const { messages: left, report } = await compactWith({ messages, targetTokens })
      expect(left.slice(0, 2)).toEqual(messages.slice(0, 2))
      expect(left.length).toBeGreaterThanOrEqual(8)
      expect(findFaults('neurolink', { messages: left as JsonObject[] })).toEqual([])
      expect(report.fits).toBe(report.tokensAfter <= targetTokens)
    }
  })
})

describe('W18: a session whose number of messages has not grown', () => {
  it('is compacted again when its messages have: nothing is remembered between requests', async () => {
    const before = await compactWith({
      messages: conversation(...chat(30, 20)),
      targetTokens: 1_500,
    })
    const after = await compactWith({
      messages: conversation(...chat(30, 90)),
      targetTokens: 1_500,
    })
    expect(before.report.outcome).toBe('unchanged')
    expect(after.report).toMatchObject({ outcome: 'compacted', fits: true })
  })
})

describe('W18: cost', () => {
  const request = (count: number) => ({
    format: 'neurolink' as const,
    messages: conversation(user('The task.'), ...chat(count, 8)),
    targetTokens: 2_000,
  })
  const run = { signal: new AbortController().signal, modelSignal: new AbortController().signal }

  it('in characters that are counted grows with the conversation and not with its square', async () => {
    const charactersCounted = async (count: number): Promise<number> => {
      let characters = 0
      const services = servicesWith()
      const forModel = (model: string | undefined) => {
        const counter = services.counters.forModel(model)
        const countTokens = (text: string) => {
          characters += text.length
          return counter.countTokens(text)
        }
        return { ...counter, countTokens }
      }
      const counted = { ...services, counters: { ...services.counters, forModel } }
      const { report } = await compactConversation(request(count), counted, run)
      expect(report.fits).toBe(true)
      return characters
    }
    const [small, large] = [await charactersCounted(1_000), await charactersCounted(8_000)]
    expect(large / small).toBeLessThan(10)
  })

  // 16 times the messages: a quadratic cost would be 256 times as much.
  it('in time grows with the conversation and not with its square', {
    timeout: 120_000,
    ...TIMED,
  }, async () => {
    const best = async (count: number): Promise<number> => {
      const posted = request(count)
      let milliseconds = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const work = () => compactConversation(posted, servicesWith(), run)
        milliseconds = Math.min(milliseconds, await processorTime(work))
      }
      return milliseconds
    }
    for (let round = 0; round < 4; round += 1) await best(2_000)
    const [small, large] = [await best(2_000), await best(32_000)]
    expect(large / small).toBeLessThan(90)
  })
})
