import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../../src/decide/replay/record.ts'
import type { Recording } from '../../../../src/decide/replay/recording.ts'
import { createReplay } from '../../../../src/decide/replay/replay.ts'
import type {
  DecideRequest,
  DecideResult,
  DecisionDocument,
  SummarizePort,
} from '../../../../src/engine/ports.ts'
import { createFakeDecider, LOCAL_TRAITS } from '../../../helpers/fake-decider.ts'

const { signal } = new AbortController()

interface Asked {
  readonly texts: readonly string[]
  readonly request?: string
  readonly site?: DecideRequest['site']
  readonly recent?: readonly DecisionDocument[]
}

function requestOf({ texts, request = 'go on', site = 'relevance', recent = [] }: Asked) {
  const documents = texts.map(
    (text, index) => ({ id: `msg__${index}`, role: 'user', text }) as const,
  )
  return {
    site,
    questions: documents.map(
      ({ id }) => ({ id, kind: 'boolean', about: id, instructions: '?' }) as const,
    ),
    state: { fields: { current_request: request }, recent, documents },
    signal,
  } satisfies DecideRequest
}

const probabilities = ({ answers }: DecideResult) =>
  Object.fromEntries(
    [...answers].map(([id, answer]) => [id, answer.kind === 'boolean' ? answer.probability : null]),
  )

/** P of a message: its number and the number of the call. */
async function recordCalls(...asked: Asked[]): Promise<Recording> {
  const decide = createFakeDecider('systemone', {
    answer: (id, call) => Number(id.slice(5)) / 10 + call / 100,
  })
  const recorder = createRecorder({ decide, summarize: undefined })
  for (const one of asked) await recorder.ports.decide?.decide(requestOf(one))
  return recorder.recording()
}

async function replayed(recording: Recording, ...asked: Asked[]): Promise<DecideResult[]> {
  const { decide } = createReplay(recording)
  if (decide === undefined) throw new Error('no model was recorded')
  const results: DecideResult[] = []
  for (const one of asked) results.push(await decide.decide(requestOf(one)))
  return results
}

describe('createReplay', () => {
  it('gives a call its own answers and facts', async () => {
    const recording = await recordCalls({ texts: ['a', 'b'] })
    const [result] = await replayed(recording, { texts: ['a', 'b'] })
    expect(result).toEqual({
      answers: new Map([
        ['msg__0', { kind: 'boolean', probability: 0 }],
        ['msg__1', { kind: 'boolean', probability: 0.1 }],
      ]),
      wire: 'systemone',
      model: 'systemone-model',
      latencyMs: 1,
      requests: 1,
      notAsked: 0,
    })
  })

  it('gives the same call its answers in their order, and the last ones from then on', async () => {
    const same = { texts: ['a'] }
    const results = await replayed(await recordCalls(same, same), same, same, same)
    expect(results.map(probabilities)).toEqual([{ msg__0: 0 }, { msg__0: 0.01 }, { msg__0: 0.01 }])
  })

  it('gives another call what is known of its messages, at no time and no request', async () => {
    const recording = await recordCalls({ texts: ['a', 'b', 'c'] })
    const [fewer] = await replayed(recording, { texts: ['a', 'changed', 'c'] })
    expect(fewer && probabilities(fewer)).toEqual({ msg__0: 0, msg__2: 0.2 })
    expect(fewer).toMatchObject({ latencyMs: 0, requests: 0, wire: 'systemone' })
  })

  it.each([
    ['for another request', { texts: ['a'], request: 'something else' }],
    ['of another site', { texts: ['a'], site: 'summary-gate' as const }],
    ['of another text', { texts: ['b'] }],
  ])('leaves a question %s unanswered', async (_what, asked) => {
    const [result] = await replayed(await recordCalls({ texts: ['a'] }), asked)
    expect(result?.answers.size).toBe(0)
    expect(result?.failure).toBeUndefined()
  })

  it('has the traits of the model that was recorded', async () => {
    const decide = createFakeDecider('embedded', { traits: LOCAL_TRAITS })
    const recording = createRecorder({ decide, summarize: undefined }).recording()
    const through = JSON.parse(JSON.stringify(recording)) as Recording
    expect(createReplay(through).decide?.traits).toEqual(decide.traits)
  })

  it('has no model where none was', () => {
    const { decide, summarize } = createReplay({ decide: null, summarize: null })
    expect([decide, summarize]).toEqual([undefined, undefined])
  })

  it('has a summary of the very material that was summarised, and of no other', async () => {
    const writer: SummarizePort = {
      model: 'writer-1',
      maxInputTokens: 5_000,
      summarize: async ({ input }) => ({
        ok: true,
        text: `a summary of ${input}`,
        model: 'writer-1-2026',
        toolCalls: false,
        refused: false,
        truncated: true,
        latencyMs: 9,
      }),
    }
    const recorder = createRecorder({ decide: undefined, summarize: writer })
    const asked = { instructions: 'sum up', input: 'this', signal }
    const written = await recorder.ports.summarize?.summarize(asked)
    const { summarize } = createReplay(recorder.recording())
    expect(await summarize?.summarize(asked)).toEqual(written)
    expect(await summarize?.summarize({ ...asked, input: 'that' })).toEqual({
      ok: false,
      failure: 'aborted',
      latencyMs: 0,
    })
  })

  it('records a port that throws as one that failed', async () => {
    const decide = createFakeDecider('systemone', {
      before: () => {
        throw new Error('broken')
      },
    })
    const recorder = createRecorder({ decide, summarize: undefined })
    const live = await recorder.ports.decide?.decide(requestOf({ texts: ['a'] }))
    expect(live?.failure).toBe('error')
    const [again] = await replayed(recorder.recording(), { texts: ['a'] })
    expect(again).toEqual(live)
  })
})
