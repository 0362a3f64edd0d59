import { describe, expect, it } from 'vitest'
import { SUMMARY_PREFIX } from '../../../../src/engine/marker.ts'
import { summarize } from '../../../../src/engine/stages/summarize.ts'
import {
  type FakeDecide,
  fakeDecide,
  fakePorts,
  fakeSummarizer,
  type SummaryScript,
  written,
} from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  ofTokens,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

const GIST = '1. Primary Request and Intent: retries'
const CHAT = [
  user('task'),
  ...Array.from({ length: 8 }, (_, index) => assistant(ofTokens(96, `m${index + 1}`))),
  user('now'),
]

interface Setting {
  readonly decide?: FakeDecide
  readonly modelSignal?: AbortSignal
  readonly specs?: readonly EntrySpec[]
  readonly target?: number
  readonly window?: number
}

async function run(script: readonly SummaryScript[], setting: Setting = {}) {
  const { specs = CHAT, target = 500, window = 100_000, ...ports } = setting
  const summarizer = fakeSummarizer(script, window)
  const input = stageInput(buildTranscript(specs), { target })
  const output = await summarize(input, fakePorts({ ...ports, summarize: summarizer }))
  return { ...output, calls: summarizer.requests.length }
}

async function reasonOf(script: readonly SummaryScript[], setting: Setting = {}) {
  const { edits, summary } = await run(script, setting)
  if (edits.length > 0) return 'accepted'
  expect(summary?.accepted).toBe(false)
  return summary?.reason
}

describe('summarize refuses, and leaves the conversation as it is,', () => {
  it.each<[string, SummaryScript]>([
    ['empty', ' \n'],
    ['tool-call-only', written('', { toolCalls: true })],
    ['refusal', 'I’m sorry, I can’t help with that.'],
    ['refusal', written(GIST, { refused: true })],
    ['not-smaller', ofTokens(900, 'long')],
    ['too-large', ofTokens(480, 'long')],
  ])('a summary that is %s', async (reason, answer) => {
    expect(await reasonOf([answer])).toBe(reason)
  })

  it.each<[string, SummaryScript]>([
    ['rate-limit', { ok: false, failure: 'rate-limit', latencyMs: 3 }],
    ['malformed-response', { ok: false, failure: 'malformed-response', latencyMs: 3 }],
    ['error', new Error('bug')],
  ])('when the summariser fails with %s', async (reason, answer) => {
    expect(await reasonOf([answer])).toBe(reason)
  })

  it('once the models’ deadline has passed, before and during the call', async () => {
    const past = await run([GIST], { modelSignal: AbortSignal.abort() })
    expect(past.calls).toBe(0)
    expect(past.summary?.reason).toBe('deadline')

    const controller = new AbortController()
    const summarizer = fakeSummarizer([GIST])
    const input = stageInput(buildTranscript(CHAT), { target: 500 })
    const output = await summarize(input, {
      ...fakePorts({ modelSignal: controller.signal }),
      summarize: {
        ...summarizer,
        summarize: async () => {
          controller.abort()
          throw new Error('aborted')
        },
      },
    })
    expect(output.summary?.reason).toBe('deadline')
  })

  it('what a later round could not write, however good the rounds before', async () => {
    const specs = [
      user('task'),
      ...Array.from({ length: 40 }, (_, n) => assistant(ofTokens(96, `m${n}`))),
      user('now'),
    ]
    const failure = { ok: false, failure: 'overloaded', latencyMs: 5 } as const
    const { edits, summary, calls } = await run([GIST, failure], { specs, window: 2_000 })
    expect(edits).toEqual([])
    expect(calls).toBe(2)
    expect(summary).toMatchObject({ reason: 'overloaded', rounds: 2, latencyMs: 16 })
  })

  it.each<[string, SummaryScript]>([
    ['empty', ''],
    ['refusal', 'I’m sorry, I can’t help with that.'],
    ['refusal', written(GIST, { refused: true })],
    ['tool-call-only', written('', { toolCalls: true })],
  ])('a round that was %s, because the next one would build on it', async (reason, answer) => {
    const specs = [
      user('task'),
      ...Array.from({ length: 40 }, (_, n) => assistant(ofTokens(96, `m${n}`))),
      user('now'),
    ]
    const { edits, summary, calls } = await run([answer, GIST], { specs, window: 2_000 })
    expect(edits).toEqual([])
    expect(calls).toBe(1)
    expect(summary?.reason).toBe(reason)
  })

  it('a summary that loses a constraint of the one before it', async () => {
    const previous = `${GIST}\n10. Constraints and Established Rules\nnever log the key`
    const old = user(`${SUMMARY_PREFIX}${previous}`, { flags: { summary: true } })
    const specs = [user('task'), old, ...CHAT.slice(1)]
    expect(await reasonOf([GIST], { specs })).toBe('poorer-than-previous')
    expect(await reasonOf([previous], { specs })).toBe('accepted')
  })

  it('what the gate is confident to reject', async () => {
    const decide = fakeDecide({ 'summary-gate': { preserves: 0.1, is_refusal: 0 } })
    const { edits, summary } = await run([GIST], { decide })
    expect(edits).toEqual([])
    expect(summary).toMatchObject({ accepted: false, reason: 'gate', gate: { accepted: false } })
  })
})

describe('summarize accepts', () => {
  it.each([
    ['unsure', { preserves: 0.4, is_refusal: 0.6 }],
    ['silent', {}],
  ])('what a gate is %s about', async (_, script) => {
    const decide = fakeDecide({ 'summary-gate': script })
    expect(await reasonOf([GIST], { decide })).toBe('accepted')
  })

  it('when the gate throws: an error never loses a good summary', async () => {
    const decide = fakeDecide({ 'summary-gate': () => Promise.reject(new Error('bug')) })
    const { summary } = await run([GIST], { decide })
    expect(summary).toMatchObject({ accepted: true, gate: { failOpen: 'error' } })
  })

  it('a summary as large as leaves the target within reach, counting the one that it replaces', async () => {
    const old = user(`${SUMMARY_PREFIX}${ofTokens(300, 'old')}`, { flags: { summary: true } })
    const specs = [user('task'), old, ...CHAT.slice(1)]
    const input = stageInput(buildTranscript(specs), { target: 500 })
    const prefix = fakePorts().countInsertion(SUMMARY_PREFIX)
    const room = 500 - (input.floorTokens - input.state.tokensOf(1)) - prefix
    expect(await reasonOf([ofTokens(room, 'gist')], { specs })).toBe('accepted')
    expect(await reasonOf([ofTokens(room + 2, 'gist')], { specs })).toBe('too-large')
  })
})
