import { describe, expect, it } from 'vitest'
import { checkSummary } from '../../../src/conversation/check-summary.ts'
import type { Answer } from '../../../src/engine/ports.ts'
import { type DecideScript, fakeDecide, fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  modelSignal,
  only,
  prose,
  servicesWith,
  sizeOf,
  stageOf,
  textsOf,
  user,
} from './support.ts'

const MESSAGES = conversation(
  user('Ship the importer.'),
  assistant('We decided on a batch size of 500.'),
  ...chat(24),
)
const SIZE = await sizeOf(MESSAGES)
const TARGET = Math.floor(SIZE * 0.6)
const SUMMARY = `1. Primary Request and Intent: the importer, in batches of 500. ${prose(30, 'sum')}`

/** Runs summarize and truncate with a gate that answers like this. */
async function run(
  script: DecideScript | undefined,
  options: { minRejectConfidence?: number } = {},
) {
  const decide = script === undefined ? undefined : fakeDecide({ 'summary-gate': script })
  const result = await compactWith(
    {
      messages: MESSAGES,
      targetTokens: TARGET,
      options: { ...only('summarize', 'truncate'), summarize: options },
    },
    { decide, summarize: fakeSummarizer([SUMMARY]) },
  )
  return { decide, result, gate: result.report.summary?.gate }
}

function isSummarised(texts: readonly unknown[]): boolean {
  return texts.some((text) => text === `[Previous conversation summary]:\n\n${SUMMARY}`)
}

describe('seed 0: the two questions of the summary gate', () => {
  it('are whether it preserves what matters and whether it is a refusal, over the messages that go', async () => {
    const { decide, result } = await run({ preserves: 0.9, is_refusal: 0.1 })
    expect(decide?.requests).toHaveLength(1)
    const request = decide?.requests[0]
    const questions = new Map(request?.questions.map((question) => [question.id, question]))
    expect([...questions.keys()]).toEqual(['preserves', 'is_refusal'])
    for (const word of [/decision/, /requirement/, /constraint/, /correction/, /open question/]) {
      expect(questions.get('preserves')?.instructions).toMatch(word)
    }
    for (const word of [/refusal/, /apology/, /error message/, /clarification/]) {
      expect(questions.get('is_refusal')?.instructions).toMatch(word)
    }
    expect(request?.state.fields.summary).toBe(SUMMARY)
    const gone = MESSAGES.map(({ content }) => content).filter(
      (content) => !textsOf(result.messages).includes(content),
    )
    expect(request?.state.documents.map(({ text }) => text)).toEqual(gone)
    expect(gone).toContain('We decided on a batch size of 500.')
  })

  it('are asked before the summary replaces anything: a refused one changes nothing', async () => {
    const decide = fakeDecide({ 'summary-gate': { is_refusal: 1 } })
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: TARGET, options: only('summarize') },
      { decide, summarize: fakeSummarizer([SUMMARY]) },
    )
    expect(result.messages).toBe(MESSAGES)
  })
})

describe('seed 0: the summary gate rejects on a confident verdict alone', () => {
  it.each([
    ['is certainly a refusal', { is_refusal: 1, preserves: 1 }],
    ['is a refusal at the bar, 0.6', { is_refusal: 0.8, preserves: 1 }],
    ['certainly loses something', { is_refusal: 0, preserves: 0 }],
    ['loses something at the bar, 0.6', { is_refusal: 0, preserves: 0.2 }],
    ['is a refusal, with no word on what it keeps', { is_refusal: 0.9 }],
    ['loses something, with no word on refusing', { preserves: 0.1 }],
  ])('when the summary %s, and truncation runs', async (_, script) => {
    const { result, gate } = await run(script)
    expect(gate?.accepted).toBe(false)
    expect(result.report.summary).toMatchObject({ accepted: false, reason: 'gate' })
    expect(isSummarised(textsOf(result.messages))).toBe(false)
    expect(stageOf(result, 'summarize').status).toBe('failed')
    expect(stageOf(result, 'truncate').status).toBe('applied')
    expect(result.report.fits).toBe(true)
  })

  const malformed: Answer = { kind: 'choice', choice: 'yes', confidence: 1 }

  it.each<[string, DecideScript | undefined]>([
    ['is fine', { is_refusal: 0.05, preserves: 0.95 }],
    ['may be a refusal, under the bar', { is_refusal: 0.79, preserves: 0.95 }],
    ['may lose something, under the bar', { is_refusal: 0.05, preserves: 0.21 }],
    ['is a coin flip in both', { is_refusal: 0.5, preserves: 0.5 }],
    ['is not judged: there is no decide model', undefined],
    ['is not judged: both questions go unanswered', {}],
    [
      'is not judged: the answers are of another kind',
      { is_refusal: malformed, preserves: malformed },
    ],
    ['is not judged: the answers are no probabilities', { is_refusal: 7, preserves: Number.NaN }],
    ['is not judged: the call fails', () => ({ failure: 'timeout' })],
    ['is not judged: the call throws', () => Promise.reject(new Error('down'))],
    ['is not judged: the body has no answers', () => ({ answers: undefined as never })],
  ])('and accepts a summary that %s', async (_, script) => {
    const { result, gate } = await run(script)
    expect(gate?.accepted).toBe(true)
    expect(result.report.summary?.accepted).toBe(true)
    expect(isSummarised(textsOf(result.messages))).toBe(true)
    expect(stageOf(result, 'summarize').status).toBe('applied')
  })

  it.each([
    [undefined, 'no-decide-model'],
    [{}, 'unanswered'],
    [() => ({ failure: 'timeout' as const }), 'timeout'],
    [() => Promise.reject(new Error('down')), 'error'],
    [() => ({ answers: undefined as never }), 'malformed-answer'],
  ] as const)('and says why it could not judge (%#: %s)', async (script, failOpen) => {
    expect((await run(script)).gate).toEqual({ accepted: true, failOpen })
  })

  it('follows the bar that the caller sets', async () => {
    const strict = await run({ is_refusal: 0.85, preserves: 1 }, { minRejectConfidence: 0.9 })
    expect(strict.gate?.accepted).toBe(true)
    const eager = await run({ is_refusal: 0.6, preserves: 1 }, { minRejectConfidence: 0.1 })
    expect(eager.gate?.accepted).toBe(false)
  })
})

describe('seed 4: gating a summary that somebody else wrote', () => {
  const check = (script: DecideScript | undefined) =>
    checkSummary(
      { format: 'neurolink', messages: MESSAGES, summary: SUMMARY },
      servicesWith({
        decide: script === undefined ? undefined : fakeDecide({ 'summary-gate': script }),
      }),
      modelSignal,
    )

  it('refuses it on a confident rejection only', async () => {
    expect(await check({ is_refusal: 0.9 })).toMatchObject({ accepted: false, reason: 'gate' })
    expect(await check({ preserves: 0.1 })).toMatchObject({ accepted: false, reason: 'gate' })
  })

  it.each<[string, DecideScript | undefined]>([
    ['a fine verdict', { is_refusal: 0.1, preserves: 0.9 }],
    ['no provider', undefined],
    ['no answer', {}],
    ['an uncertain verdict', { is_refusal: 0.6, preserves: 0.4 }],
    ['a failed call', () => Promise.reject(new Error('down'))],
  ])('accepts it with %s', async (_, script) => {
    expect(await check(script)).toMatchObject({ accepted: true, reason: null })
  })
})
