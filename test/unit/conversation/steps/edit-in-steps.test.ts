import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../../src/conversation/compact-conversation.ts'
import { compactInSteps } from '../../../../src/conversation/compact-in-steps.ts'
import type { CompactRequest } from '../../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../../src/conversation/services.ts'
import {
  createStepMemo,
  type RememberedStep,
  type StepMemo,
} from '../../../../src/conversation/steps/step-memo.ts'
import type { JsonObject } from '../../../../src/engine/transcript.ts'
import { fakeDecide, fakeSummarizer, toAnswers } from '../../../helpers/fake-ports.ts'
import { servicesWith } from '../../seeds/support.ts'

const run = () => {
  const { signal } = new AbortController()
  return { signal, modelSignal: signal }
}

/** About fifty tokens that say nothing twice. */
const words = (index: number) =>
  Array.from({ length: 25 }, (_, word) => `note ${index * 100 + word}`).join(' ')

/** Requests and answers in turn; the last is a request where their number is odd. */
const talk = (length: number): JsonObject[] =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: words(index),
  }))

const request = (length: number, over: Partial<CompactRequest> = {}): CompactRequest => ({
  format: 'openai-chat',
  messages: talk(length),
  targetTokens: 2_000,
  lowWater: 0.5,
  options: { protectRecent: 2 },
  ...over,
})

const compacted = (over: CompactRequest, services: ConversationServices = servicesWith()) =>
  compactConversation(over, services, run())

describe('compaction in steps', () => {
  it('goes down to the low-water mark, and lets the conversation grow up to the target again', async () => {
    const tokens: number[] = []
    const taken: number[] = []
    for (let length = 1; length <= 81; length += 2) {
      const { report, steps } = await compacted(request(length))
      expect(report.fits).toBe(true)
      tokens.push(report.tokensAfter)
      taken.push(steps?.taken ?? 0)
    }
    expect(Math.max(...taken)).toBeGreaterThan(1)
    for (const [index, count] of taken.entries()) {
      if (index === 0 || count === taken[index - 1]) continue
      const { floor } = (await compacted(request(2 * index + 1))).report
      const mark = floor.tokens + 0.5 * (2_000 - floor.tokens)
      expect(tokens[index]).toBeLessThanOrEqual(mark)
      expect(tokens[index]).toBeGreaterThan(mark - 200)
    }
  })

  it('goes no lower than one run does with a mark of 1, and to the floor with one of 0', async () => {
    const firstStep = async (lowWater: number) => {
      for (let length = 3; ; length += 2) {
        const { report, steps } = await compacted(request(length, { lowWater }))
        if (steps?.taken === 1) return report
      }
    }
    const [all, none] = [await firstStep(1), await firstStep(0)]
    expect(all.tokensAfter).toBeGreaterThan(2_000 - 200)
    expect(all.tokensAfter).toBeLessThanOrEqual(2_000)
    expect(none.tokensAfter).toBeLessThan(none.floor.tokens + 200)
  })

  it('is told of only where it was asked for', async () => {
    const { lowWater: _, ...once } = request(41)
    expect((await compacted(once)).steps).toBeUndefined()
    expect((await compacted(request(41))).steps?.taken).toBeGreaterThan(0)
    expect((await compacted(request(5))).steps).toEqual({ taken: 0, recalled: 0, cached: null })
  })

  it('takes the mark of the deployment where the request has none', async () => {
    const { lowWater: _, ...unset } = request(31)
    const services = (lowWater: number) => ({ ...servicesWith(), lowWater })
    const tokensWith = async (asked: CompactRequest, lowWater: number) =>
      (await compactInSteps(asked, services(lowWater), run())).report.tokensAfter
    expect(await tokensWith(unset, 0.1)).toBeLessThan(await tokensWith(unset, 0.9))
    expect(await tokensWith(request(31), 0.1)).toBe(await tokensWith(request(31), 0.9))
  })

  it('gives the one message of an input that is a string back as it is', async () => {
    const input = words(1).repeat(80)
    const { conversation, report, steps } = await compacted({
      format: 'openai-responses',
      input,
      targetTokens: 100,
      lowWater: 0.5,
    })
    expect(conversation).toBe(input)
    expect(report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(steps?.taken).toBe(0)
  })

  it('tells the floor of the last turn where that keeps it from fitting, earlier steps or not', async () => {
    const messages = [...talk(80), { role: 'user', content: words(1_000).repeat(60) }]
    const { report, steps } = await compacted(request(81, { messages }))
    expect(steps?.taken).toBeGreaterThan(0)
    expect(report).toMatchObject({ outcome: 'partial', fits: false })
    expect(report.floor.tokens).toBeGreaterThan(2_000)
    expect(report.floor.pins['current-request']).toBeGreaterThan(2_000)
    expect(report.warnings.map(({ code }) => code)).toContain('budget-unreachable')
  })

  it('keeps the prefix of an overflow that has passed', async () => {
    const big = { role: 'user', content: words(1_000).repeat(60) }
    const history = [...talk(20), big, ...talk(40).slice(1)]
    const sent: string[][] = []
    for (let length = 21; length <= history.length; length += 2) {
      const options = { protectRecent: 2, truncate: { enabled: true } }
      const { messages, report, steps } = await compacted(
        request(length, { messages: history.slice(0, length), options }),
      )
      const texts = messages.map((message) => JSON.stringify(message))
      const before = sent.at(-1)
      if (report.fits && before !== undefined && steps?.taken === 1 && sent.length > 3) {
        expect(texts.slice(0, before.length)).toEqual(before)
      }
      if (report.fits) sent.push(texts)
    }
    expect(sent.length).toBeGreaterThan(5)
  })

  it('limits bytes as well, of the turn that is answered', async () => {
    const free = await compacted(request(61))
    const bytes = JSON.stringify(free.messages).length
    const { report, messages, steps } = await compacted(
      request(61, { maxBytes: Math.floor(bytes * 0.8) }),
    )
    expect(report.fits).toBe(true)
    expect(steps?.taken).toBe((free.steps?.taken ?? 0) + 1)
    expect(JSON.stringify(messages).length).toBeLessThanOrEqual(Math.floor(bytes * 0.8))
    expect(report.bytes?.after).toBeGreaterThanOrEqual(JSON.stringify(messages).length)
    expect(report.bytes?.before).toBe(JSON.stringify(talk(61)).length)
  })
})

describe('a memory of earlier steps', () => {
  it('spares the models what they have decided, and sends the same', async () => {
    const asked = (length: number) =>
      request(length, { options: { protectRecent: 2, summarize: { enabled: true } } })
    const [decide, summarize] = [
      fakeDecide({ relevance: {}, 'summary-gate': {} }),
      fakeSummarizer(['Some work was done, and all is well.']),
    ]
    const services = { ...servicesWith({ decide, summarize }), stepMemo: createStepMemo(1_000_000) }
    const first = await compacted(asked(41), services)
    const calls = [decide.requests.length, summarize.requests.length]
    expect(calls[0]).toBeGreaterThan(0)
    expect(first.steps?.recalled).toBe(0)
    const second = await compacted(asked(41), services)
    expect([decide.requests.length, summarize.requests.length]).toEqual(calls)
    expect(second.steps?.recalled).toBe(first.steps?.taken)
    expect(JSON.stringify(second.messages)).toBe(JSON.stringify(first.messages))
    expect(second.report.relevance).toBeUndefined()
    expect(second.report.probabilities).toEqual([])
  })

  it('does not ask again about an attempt that came to nothing', async () => {
    const decide = fakeDecide({ relevance: {}, 'summary-gate': {} })
    const services = { ...servicesWith({ decide }), stepMemo: createStepMemo(1_000_000) }
    const options = { protectRecent: 2, prune: { enabled: false }, truncate: { enabled: false } }
    const counts: number[] = []
    for (let length = 31; length <= 41; length += 2) {
      const before = decide.requests.length
      await compacted(request(length, { options }), services)
      counts.push(decide.requests.length - before)
    }
    expect(counts.slice(1)).toEqual(counts.slice(1).map(() => 1))
  })

  it('does not build upon a step that it has lost and that came out otherwise', async () => {
    const steps = new Map<string, RememberedStep>()
    const stepMemo: StepMemo = {
      get: (key) => steps.get(key),
      set: (key, step) => {
        steps.set(key, step)
      },
    }
    let isOdd = false
    const decide = fakeDecide({
      relevance: ({ questions }) => ({
        answers: toAnswers(
          Object.fromEntries(
            questions.map(({ id }, index) => [id, (index % 2 === 1) === isOdd ? 0.05 : 0.95]),
          ),
        ),
      }),
    })
    const services = { ...servicesWith({ decide }), stepMemo }
    const first = await compacted(request(81), services)
    expect(first.steps?.taken).toBeGreaterThan(1)
    const [lost] = steps.keys()
    steps.delete(lost ?? '')
    isOdd = true
    const second = await compacted(request(81), services)
    expect(second.steps?.recalled).toBe(0)
    expect(second.report.fits).toBe(true)
    const report = await compacted(request(81), services)
    expect(report.steps?.recalled).toBe(report.steps?.taken)
    expect(JSON.stringify(report.messages)).toBe(JSON.stringify(second.messages))
  })

  it.each<[string, Partial<CompactRequest>]>([
    ['target', { targetTokens: 1_900 }],
    ['low-water mark', { lowWater: 0.4 }],
    ['pin', { pins: [3] }],
    ['number of frozen messages', { frozenMessages: 3 }],
    ['option', { options: { protectRecent: 4 } }],
    ['profile', { profile: 'agent' }],
    ['model', { model: 'gpt-4o-mini' }],
    ['tool', { tools: [{ type: 'function', function: { name: 'read' } }] }],
    ['message', { messages: [{ role: 'user', content: 'Else.' }, ...talk(41).slice(1)] }],
  ])('does not take a step of another %s for one of this', async (_, over) => {
    const services = { ...servicesWith(), stepMemo: createStepMemo(1_000_000) }
    await compacted(request(41), services)
    expect((await compacted(request(41), services)).steps?.recalled).toBeGreaterThan(0)
    expect((await compacted(request(41, over), services)).steps?.recalled).toBe(0)
  })
})
