import { describe, expect, it } from 'vitest'
import { relevance } from '../../../../src/engine/stages/relevance.ts'
import { type FakeDecide, fakeDecide, fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  calling,
  countByLength,
  type EntrySpec,
  exchange,
  ofTokens,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from '../stage-input.ts'

function run(decide: FakeDecide, over: Partial<StageSpec>, specs: readonly EntrySpec[]) {
  const input = stageInput(buildTranscript(specs), { target: 500, currentRequest: 'now', ...over })
  return relevance(input, fakePorts({ decide }))
}

describe('relevance of tool exchanges', () => {
  const specs = [
    user('task'),
    ...exchange('c1', ofTokens(80, 'out'), { toolName: 'grep' }),
    assistant('it says so'),
    user('now'),
  ]

  it('clears the results to a line that says how it went, and leaves the call', async () => {
    const decide = fakeDecide({ relevance: { msg__1: 0.1 } })
    const options = { relevance: { toolExchanges: 'clear', maxDropRatio: 1 } } as const
    expect((await run(decide, { options }, specs)).edits).toEqual([
      {
        op: 'replace-text',
        entry: 2,
        part: 0,
        text: '[grep: returned, 320 characters, cleared as not needed]',
        reason: 'not-needed',
        probability: 0.1,
        confidence: 0.8,
      },
    ])
  })

  it('drops call, results and report together', async () => {
    const decide = fakeDecide({ relevance: { msg__1: 0.1 } })
    const options = { relevance: { toolExchanges: 'drop', maxDropRatio: 1 } } as const
    const { edits, needed, probabilities } = await run(decide, { options }, specs)
    expect(edits.map((edit) => edit.op === 'drop' && [edit.entry, edit.reason])).toEqual([
      [1, 'not-needed'],
      [2, 'not-needed'],
      [3, 'evidence-dropped'],
    ])
    expect([...(needed?.keys() ?? [])]).toEqual([1, 2, 3])
    expect(probabilities).toEqual([0.1])
  })

  it('says of a failed call that it failed', async () => {
    const decide = fakeDecide({ relevance: { msg__1: 0 } })
    const [task, call, result, ...rest] = specs
    if (task === undefined || call === undefined || result === undefined)
      throw new Error('no specs')
    const failed = { ...result, parts: result.parts.map((part) => ({ ...part, isError: true })) }
    const options = { relevance: { toolExchanges: 'clear', maxDropRatio: 1 } } as const
    const { edits } = await run(decide, { options }, [task, call, failed, ...rest])
    expect(edits[0]).toMatchObject({ text: '[grep: error, 320 characters, cleared as not needed]' })
  })

  it('counts what clearing saves, the line in its place included, when it stops at the target', async () => {
    const two = [
      user('task'),
      ...exchange('c1', ofTokens(80, 'a')),
      ...exchange('c2', ofTokens(80, 'b')),
      user('now'),
    ]
    const before = stageInput(buildTranscript(two), { target: 1 }).state.total
    const options = {
      relevance: { toolExchanges: 'clear', maxDropRatio: 1, stopAtTarget: true },
    } as const
    const decide = fakeDecide({ relevance: { msg__1: 0, msg__3: 0 } })
    const edits = async (excess: number) =>
      (await run(decide, { options, target: before - excess }, two)).edits
    const saved = 80 - countByLength('[run: returned, 320 characters, cleared as not needed]')
    expect(await edits(saved)).toHaveLength(1)
    expect(await edits(saved + 1)).toHaveLength(2)
  })

  it('spends no cap on results that are smaller than the line in their place', async () => {
    const two = [
      user('task'),
      ...exchange('c1', 'ok'),
      ...exchange('c2', ofTokens(80, 'b')),
      user('now'),
    ]
    const options = { relevance: { toolExchanges: 'clear' } } as const
    const decide = fakeDecide({ relevance: { msg__1: 0, msg__3: 0 } })
    const { edits, relevance: report } = await run(decide, { options }, two)
    expect(edits.map((edit) => edit.op === 'replace-text' && edit.entry)).toEqual([4])
    expect(report).toMatchObject({ asked: 2, flagged: 2, dropped: 1, capHit: false })
  })

  it('clears parallel results each to a line of its own, and leaves those that are shorter', async () => {
    const parallel = [
      user('task'),
      calling([
        { callId: 'c1', toolName: 'grep' },
        { callId: 'c2', toolName: 'run' },
        { callId: 'c3', toolName: 'ls' },
      ]),
      returning('c1', ofTokens(80, 'a\n'), { toolName: 'grep' }),
      returning('c2', ofTokens(50, 'b'), { isError: true }),
      returning('c3', 'short', { toolName: 'ls' }),
      user('now'),
    ]
    const options = { relevance: { toolExchanges: 'clear', maxDropRatio: 1 } } as const
    const { edits, relevance: report } = await run(
      fakeDecide({ relevance: { msg__1: 0 } }),
      { options },
      parallel,
    )
    expect(edits.map((edit) => edit.op === 'replace-text' && [edit.entry, edit.text])).toEqual([
      [2, '[grep: returned, 107 lines, cleared as not needed]'],
      [3, '[run: error, 200 characters, cleared as not needed]'],
    ])
    expect(report).toMatchObject({ asked: 1, flagged: 1, dropped: 1, expectedNeededLost: 0 })
  })

  const narrated = [
    user('task'),
    ...exchange('c1', ofTokens(80, 'a')),
    calling([{ callId: 'c2' }], 'it passed; next'),
    returning('c2', ofTokens(80, 'b')),
    assistant('all done'),
    user('now'),
  ]
  const drop = { relevance: { toolExchanges: 'drop', maxDropRatio: 1 } } as const

  it('clears an exchange and says why, where a text that may rest on it stays', async () => {
    const decide = fakeDecide({ relevance: { msg__1: 0.1, msg__3: 0.9 } })
    const { edits, relevance: report } = await run(decide, { options: drop }, narrated)
    expect(edits).toEqual([
      {
        op: 'replace-text',
        entry: 2,
        part: 0,
        text: '[run: returned, 320 characters, cleared as not needed]',
        reason: 'claim-kept',
        probability: 0.1,
        confidence: 0.8,
      },
    ])
    expect(report).toMatchObject({ dropped: 1, expectedNeededLost: 0.1 })
  })

  it('drops it where that text goes as well', async () => {
    const decide = fakeDecide({ relevance: { msg__1: 0.1, msg__3: 0.1 } })
    const { edits } = await run(decide, { options: drop }, narrated)
    expect(edits.map((edit) => edit.op === 'drop' && edit.entry)).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    ['pinned', { pins: [5] }],
    ['recent', { options: { protectRecent: 2, ...drop } }],
  ])('clears rather than drops where the report is %s', async (_, over) => {
    const decide = fakeDecide({ relevance: { msg__1: 0, msg__3: 0 } })
    const { edits } = await run(decide, { options: drop, ...over }, narrated)
    expect(edits.map((edit) => edit.op === 'replace-text' && [edit.entry, edit.reason])).toEqual([
      [2, 'claim-kept'],
      [4, 'claim-kept'],
    ])
  })

  it('says of an exchange that may not be dropped only that it is not needed', async () => {
    const picture = [
      user('task'),
      calling([{ callId: 'c1' }]),
      {
        ...returning('c1', ofTokens(80, 'a')),
        parts: [
          ...returning('c1', ofTokens(80, 'a')).parts,
          { kind: 'media', text: '[image]', rewritable: false } as const,
        ],
      },
      user('now'),
    ]
    const decide = fakeDecide({ relevance: { msg__1: 0 } })
    const { edits } = await run(decide, { options: drop }, picture)
    expect(edits).toMatchObject([{ op: 'replace-text', entry: 2, reason: 'not-needed' }])
  })
})
