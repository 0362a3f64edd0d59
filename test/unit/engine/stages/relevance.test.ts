import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../src/engine/ports.ts'
import { relevance } from '../../../../src/engine/stages/relevance.ts'
import { type FakeDecide, fakeDecide, fakePorts, toAnswers } from '../../../helpers/fake-ports.ts'
import { assistant, buildTranscript, ofTokens, user } from '../../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from '../stage-input.ts'

/** The task, ten messages of 100 tokens with their framing, and the request: 1 to 10 are eligible. */
const CHAT = [
  user('task'),
  ...Array.from({ length: 10 }, (_, index) => assistant(ofTokens(96, `m${index + 1}`))),
  user('now'),
]

const ALL_NO = Object.fromEntries(CHAT.map((_, index) => [`msg__${index}`, 0.1]))

function run(decide: FakeDecide | undefined, over: Partial<StageSpec> = {}, specs = CHAT) {
  const input = stageInput(buildTranscript(specs), { target: 500, currentRequest: 'now', ...over })
  return relevance(input, fakePorts(decide === undefined ? {} : { decide }))
}

async function droppedBy(script: Record<string, number | Answer>, over: Partial<StageSpec> = {}) {
  const { edits } = await run(fakeDecide({ relevance: script }), over)
  return edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
}

describe('relevance', () => {
  it.each([
    ['no-decide-model', undefined, 'now'],
    ['no-current-request', fakeDecide({ relevance: {} }), undefined],
    ['no-current-request', fakeDecide({ relevance: {} }), ' \n'],
  ])('is skipped as %s', async (skipped, decide, currentRequest) => {
    const input = stageInput(buildTranscript(CHAT), { target: 500 })
    const output = await relevance({ ...input, currentRequest }, fakePorts(decide && { decide }))
    expect(output).toEqual({ edits: [], skipped })
  })

  it('is skipped where nothing is eligible, and asks nobody', async () => {
    const decide = fakeDecide({ relevance: ALL_NO })
    expect((await run(decide, { options: { protectRecent: 99 } })).skipped).toBe('nothing-eligible')
    expect((await run(decide, { options: { relevance: { maxQuestions: 0 } } })).skipped).toBe(
      'nothing-eligible',
    )
    expect(decide.requests).toHaveLength(0)
  })

  it('is skipped as abstained where the model has no opinion, and has not failed', async () => {
    const decide = fakeDecide({ relevance: () => ({ abstained: true }) })
    const { edits, skipped, relevance: report, rankByNeed } = await run(decide)
    expect({ edits, skipped, rankByNeed }).toEqual({
      edits: [],
      skipped: 'abstained',
      rankByNeed: false,
    })
    expect(report).toMatchObject({ asked: 10, answered: 0, dropped: 0, abstained: true })
    expect(report).not.toHaveProperty('failOpen')
  })

  it.each([
    ['unanswered', {}],
    ['timeout', { abstained: true, failure: 'timeout' as const }],
  ])('has failed as %s where it answers nothing and does not say why', async (failOpen, result) => {
    const { skipped, relevance: report } = await run(fakeDecide({ relevance: () => result }))
    expect(skipped).toBeUndefined()
    expect(report).toMatchObject({ failOpen })
    expect(report).not.toHaveProperty('abstained')
  })

  it('drops what is confidently not needed, with probability and confidence', async () => {
    const { edits } = await run(fakeDecide({ relevance: { msg__3: 0.1, msg__4: 0.9 } }))
    expect(edits).toEqual([
      { op: 'drop', entry: 3, reason: 'not-needed', probability: 0.1, confidence: 0.8 },
    ])
  })

  it('keeps what is unsure, unanswered, malformed or not asked about', async () => {
    const odd: Record<string, Answer> = {
      msg__1: { kind: 'boolean', probability: Number.NaN },
      msg__2: { kind: 'boolean', probability: -5 },
      msg__3: { kind: 'boolean', probability: 7 },
      msg__4: { kind: 'score', score: 0, confidence: 1 },
      msg__5: { kind: 'boolean', probability: 0.5 },
      msg__6: { kind: 'boolean', probability: 0.2000001 },
      msg__0: { kind: 'boolean', probability: 0 },
      msg__99: { kind: 'boolean', probability: 0 },
      nonsense: { kind: 'boolean', probability: 0 },
    }
    expect(await droppedBy(odd)).toEqual([])
    expect(await droppedBy({ ...odd, msg__7: 0.2 })).toEqual([7])
  })

  it.each([
    [0.5, 5],
    [0.55, 5],
    [0.19, 1],
    [0.09, 0],
    [1, 10],
    [0, 0],
  ])('lets at most floor(asked x %d) go in one pass', async (maxDropRatio, count) => {
    const dropped = await droppedBy(ALL_NO, { options: { relevance: { maxDropRatio } } })
    expect(dropped).toEqual(CHAT.map((_, index) => index).slice(1, 1 + count))
  })

  it('counts only what was really asked into the cap', async () => {
    const decide = fakeDecide({ relevance: () => ({ answers: toAnswers(ALL_NO), notAsked: 6 }) })
    const { edits, relevance: report } = await run(decide)
    expect(edits).toHaveLength(2)
    expect(report).toMatchObject({ asked: 4, notAsked: 6, capHit: true })
    const all = fakeDecide({ relevance: () => ({ answers: toAnswers(ALL_NO), notAsked: 40 }) })
    expect((await run(all)).relevance).toMatchObject({ asked: 0, dropped: 0 })
  })

  it('asks about the oldest where there are more than the model takes', async () => {
    const decide = fakeDecide({ relevance: ALL_NO })
    const { relevance: report } = await run(decide, { options: { relevance: { maxQuestions: 4 } } })
    expect(decide.requests[0]?.questions.map(({ id }) => id)).toEqual(
      [1, 2, 3, 4].map((n) => `msg__${n}`),
    )
    expect(report).toMatchObject({ asked: 4, notAsked: 6, dropped: 2 })
    const small = fakeDecide({ relevance: ALL_NO }, { maxQuestions: 3 })
    await run(small)
    expect(small.requests[0]?.questions).toHaveLength(3)
  })

  it('asks a model of this process about all of them', async () => {
    const decide = fakeDecide({ relevance: ALL_NO }, { maxQuestions: Number.POSITIVE_INFINITY })
    await run(decide, { options: { relevance: { maxQuestions: 2 } } })
    expect(decide.requests[0]?.questions).toHaveLength(10)
  })

  it('takes order and risk budget from the model unless the caller sets them', async () => {
    const script = { ...ALL_NO, msg__9: 0.01, msg__10: 0.02 }
    const traits = { order: 'least-needed-first', riskBudget: 0.05 } as const
    const edits = async (options: StageSpec['options']) =>
      (
        await run(
          fakeDecide({ relevance: script }, traits),
          options === undefined ? {} : { options },
        )
      ).edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
    expect(await edits(undefined)).toEqual([9, 10])
    expect(await edits({ relevance: { riskBudget: null } })).toEqual([9, 10, 1, 2, 3])
    expect(await edits({ relevance: { riskBudget: 0.02 } })).toEqual([9])
    expect(await edits({ relevance: { riskBudget: null, order: 'oldest-first' } })).toEqual([
      1, 2, 3, 4, 5,
    ])
  })

  it('drops no more than the target needs where it is told to stop there', async () => {
    const before = stageInput(buildTranscript(CHAT), { target: 1 }).state.total
    const over = { target: before - 150, options: { relevance: { stopAtTarget: true } } }
    expect(await droppedBy(ALL_NO, over)).toEqual([1, 2])
    expect(await droppedBy(ALL_NO, { target: before - 150 })).toHaveLength(5)
  })

  it('reports what was asked, answered, flagged and dropped, by whom, and what it expects to have lost', async () => {
    const {
      relevance: report,
      needed,
      probabilities,
    } = await run(fakeDecide({ relevance: { msg__1: 0.2, msg__2: 0.05, msg__3: 0.6 } }))
    expect(report).toEqual({
      asked: 10,
      answered: 3,
      flagged: 2,
      dropped: 2,
      notAsked: 0,
      capHit: false,
      order: 'oldest-first',
      expectedNeededLost: 0.25,
      model: 'fake-1',
      wire: 'fake',
      latencyMs: 7,
      requests: 1,
    })
    expect(needed).toEqual(
      new Map([
        [1, 0.2],
        [2, 0.05],
        [3, 0.6],
      ]),
    )
    expect(probabilities).toEqual([0.2, 0.05, 0.6])
  })

  it('keeps the answers that came where the rest failed, and names the failure', async () => {
    const decide = fakeDecide({
      relevance: () => ({ answers: toAnswers({ msg__1: 0 }), failure: 'timeout' }),
    })
    const { edits, relevance: report } = await run(decide)
    expect(edits).toHaveLength(1)
    expect(report).toMatchObject({ answered: 1, failOpen: 'timeout' })
  })

  it('ranks by need only where the order is by need and something was judged', async () => {
    const ranks = async (
      script: Record<string, number>,
      order: 'oldest-first' | 'least-needed-first',
    ) => (await run(fakeDecide({ relevance: script }, { order }))).rankByNeed
    expect(await ranks({ msg__1: 0.9 }, 'least-needed-first')).toBe(true)
    expect(await ranks({ msg__1: 0.9 }, 'oldest-first')).toBe(false)
    expect(await ranks({}, 'least-needed-first')).toBe(false)
  })

  it('shows the recent messages for reference, each text once', async () => {
    const decide = fakeDecide({ relevance: ALL_NO })
    await run(
      decide,
      { options: { protectRecent: 3 } },
      CHAT.with(-1, user('now', { speaker: 'ops' })),
    )
    await run(decide)
    await run(decide, {}, [...CHAT, assistant('last')])
    const [tail, none, unprotected] = decide.requests.map(({ state }) => state)
    expect(tail?.recent.map(({ id }) => id)).toEqual(['msg__9', 'msg__10', 'msg__11'])
    expect(tail?.recent.at(-1)).toEqual({
      id: 'msg__11',
      role: 'user',
      text: 'now',
      speaker: 'ops',
    })
    expect(none?.recent.map(({ id }) => id)).toEqual(['msg__11'])
    const shown = [...(unprotected?.documents ?? []), ...(unprotected?.recent ?? [])].map(
      ({ id }) => id,
    )
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown).toContain('msg__12')
  })
})
