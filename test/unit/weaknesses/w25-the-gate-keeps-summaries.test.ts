/** W25: theirs loses a good summary when decide throws, skips messages without ids, and sees the last 60 alone. */
import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { type DecideScript, fakeDecide, fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  chat,
  compactWith,
  conversation,
  only,
  servicesWith,
  stageOf,
  textsOf,
  user,
} from '../seeds/support.ts'
import { systemOneRun } from './system-one-run.ts'

const SUMMARY = '1. Primary Request and Intent: the importer, in batches of 500.'
const isKept = (messages: readonly unknown[]): boolean =>
  textsOf(messages).some((text) => String(text).includes('batches of 500'))

describe('W25: a decide model that misbehaves at the gate', () => {
  it.each<[string, DecideScript]>([
    ['throws', () => Promise.reject(new Error('down'))],
    [
      'throws at once',
      () => {
        throw new Error('down')
      },
    ],
    ['returns a body without answers', () => ({ answers: undefined as never })],
    ['returns answers of no shape', () => ({ answers: { preserves: 0 } as never })],
  ])('and %s does not cost the summary', async (_, script) => {
    const result = await compactWith(
      { messages: conversation(...chat(40)), targetTokens: 1_500, options: only('summarize') },
      { decide: fakeDecide({ 'summary-gate': script }), summarize: fakeSummarizer([SUMMARY]) },
    )
    expect(stageOf(result, 'summarize').status).toBe('applied')
    expect(isKept(result.messages)).toBe(true)
  })

  it('and hangs is waited for no longer than the deadline, and the summary stays', async () => {
    const deadline = new AbortController()
    const decide = fakeDecide({
      'summary-gate': ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
          deadline.abort(new DOMException('The time is over.', 'TimeoutError'))
        }),
    })
    const result = await compactConversation(
      {
        format: 'neurolink',
        messages: conversation(...chat(40)),
        targetTokens: 1_500,
        options: only('summarize'),
      },
      servicesWith({ decide, summarize: fakeSummarizer([SUMMARY]) }),
      { signal: new AbortController().signal, modelSignal: deadline.signal },
    )
    expect(result.report.summary?.gate).toEqual({ accepted: true, failOpen: 'deadline' })
    expect(isKept(result.messages)).toBe(true)
  })
})

describe('W25: what the gate looks at', () => {
  it('is there for messages without ids as well', async () => {
    const decide = fakeDecide({ 'summary-gate': { is_refusal: 0.99 } })
    const result = await compactWith(
      {
        format: 'openai-chat',
        messages: chat(40),
        targetTokens: 1_500,
        options: only('summarize'),
      },
      { decide, summarize: fakeSummarizer([SUMMARY]) },
    )
    expect(decide.requests).toHaveLength(1)
    expect(result.report.summary).toMatchObject({ accepted: false, reason: 'gate' })
  })

  it('is every message that goes, the first of 200 included', async () => {
    const { decide, sent } = await systemOneRun({ answer: () => 0.5 })
    const rule: JsonObject = user('Decision: batches of 500, never more.')
    const messages = conversation(user('The task.'), rule, ...chat(200, 60))
    const result = await compactWith(
      { messages, targetTokens: 2_000, options: only('summarize') },
      { decide, summarize: fakeSummarizer([SUMMARY]) },
    )
    const [request] = sent()
    expect(Object.keys(request?.questions ?? {})).toEqual(['preserves', 'is_refusal'])
    const texts = Object.values(request?.state.messages ?? {}).map(({ text }) => text)
    expect(texts[0]).toBe(rule.content)
    expect(texts).toHaveLength(result.report.summary?.covers ?? 0)
    expect(texts.length).toBeGreaterThan(150)
    expect(request?.state.summary).toBe(SUMMARY)
  })
})
