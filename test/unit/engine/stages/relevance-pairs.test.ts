import { describe, expect, it } from 'vitest'
import type { RelevanceOptions } from '../../../../src/engine/options.ts'
import type { DecideTraits } from '../../../../src/engine/ports.ts'
import { relevance } from '../../../../src/engine/stages/relevance.ts'
import { fakeDecide, fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  ofTokens,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

/** The task, three questions with an answer each (1-2, 3-4, 5-6), and the request. */
const CHAT = [
  user('task'),
  ...[1, 2, 3].flatMap((turn) => [
    user(ofTokens(46, `q${turn}`)),
    assistant(ofTokens(46, `a${turn}`)),
  ]),
  user('now'),
]

const ALL_NO = { msg__1: 0.05, msg__2: 0.1, msg__3: 0.01, msg__4: 0.02, msg__5: 0.1, msg__6: 0.15 }

async function run(
  script: Record<string, number>,
  over: Partial<RelevanceOptions> = {},
  specs: readonly EntrySpec[] = CHAT,
  pins: readonly number[] = [],
  own: Partial<DecideTraits> = {},
) {
  const input = stageInput(buildTranscript(specs), {
    target: 1,
    currentRequest: 'now',
    pins,
    options: { relevance: { pairs: true, maxDropRatio: 1, ...over } },
  })
  const decide = fakeDecide({ relevance: script }, own)
  const { edits, relevance: report } = await relevance(input, fakePorts({ decide }))
  const dropped = edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
  return { dropped, edits, report }
}

describe('relevance with pairs', () => {
  it('drops a question and its answer together, each with its own probability', async () => {
    const { edits, report } = await run({ ...ALL_NO, msg__3: 0.6, msg__6: 0.9 })
    expect(edits).toEqual([
      { op: 'drop', entry: 1, reason: 'not-needed', probability: 0.05, confidence: 0.9 },
      { op: 'drop', entry: 2, reason: 'not-needed', probability: 0.1, confidence: 0.8 },
    ])
    expect(report).toMatchObject({ asked: 6, answered: 6, flagged: 2, dropped: 2 })
    expect(report?.expectedNeededLost).toBeCloseTo(0.15, 12)
  })

  it('keeps both where one of them is not answered, or beyond what was asked', async () => {
    expect((await run({ msg__1: 0, msg__4: 0, msg__5: 0, msg__6: 0 })).dropped).toEqual([5, 6])
    expect((await run(ALL_NO, { maxQuestions: 3 })).dropped).toEqual([1, 2])
  })

  it('ranks them by the higher probability, and counts both towards cap and budget', async () => {
    const order = 'least-needed-first'
    expect((await run(ALL_NO, { order, maxDropRatio: 0.5 })).dropped).toEqual([3, 4])
    expect((await run(ALL_NO, { order, maxDropRatio: 0.67 })).dropped).toEqual([3, 4, 1, 2])
    expect((await run(ALL_NO, { order, riskBudget: 0.17 })).dropped).toEqual([3, 4])
    expect((await run(ALL_NO, { order, riskBudget: 0.19 })).dropped).toEqual([3, 4, 1, 2])
    expect((await run(ALL_NO, { order, riskBudget: 0 })).dropped).toEqual([])
  })

  it('holds for a model with a risk budget of its own where it is not said, whatever the order', async () => {
    const by = async (own: Partial<DecideTraits>, over: Partial<RelevanceOptions> = {}) =>
      (await run({ msg__1: 0, msg__2: 0.9 }, { pairs: undefined, ...over }, CHAT, [], own)).dropped
    expect(await by({})).toEqual([1])
    expect(await by({ order: 'least-needed-first' })).toEqual([1])
    expect(await by({}, { riskBudget: 0.5, order: 'least-needed-first' })).toEqual([1])
    expect(await by({ riskBudget: 0.5 })).toEqual([])
    expect(await by({ riskBudget: 0.5 }, { riskBudget: null })).toEqual([])
    expect(await by({ riskBudget: 0.5 }, { pairs: false })).toEqual([1])
  })

  it('judges a question alone whose answer is pinned, and an answer whose question is', async () => {
    expect((await run({ msg__1: 0, msg__4: 0 }, {}, CHAT, [2, 3])).dropped).toEqual([1, 4])
  })

  it('pairs an answer with its linked reasoning', async () => {
    const specs: EntrySpec[] = [
      user('task'),
      user('q'),
      {
        role: 'assistant',
        parts: [{ kind: 'reasoning', text: 'hm', rewritable: false }],
        links: ['r'],
      },
      assistant('a', { links: ['r'] }),
      user('now'),
    ]
    expect((await run({ msg__1: 0, msg__2: 0.9 }, {}, specs)).dropped).toEqual([])
    expect((await run({ msg__1: 0, msg__2: 0 }, {}, specs)).dropped).toEqual([1, 2, 3])
  })

  it('pairs no question with two answers, another question, or a report', async () => {
    const two = [user('task'), user('q'), assistant('a'), assistant('more'), user('now')]
    expect((await run({ msg__1: 0 }, {}, two)).dropped).toEqual([1])
    const questions = [user('task'), user('q'), user('r'), user('now')]
    expect((await run({ msg__1: 0 }, {}, questions)).dropped).toEqual([1])
    const report = [user('task'), user('q'), ...exchange('c1', 'o'), assistant('so'), user('now')]
    expect((await run({ msg__1: 0 }, { toolExchanges: 'drop' }, report)).dropped).toEqual([1])
  })
})
