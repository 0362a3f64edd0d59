import { describe, expect, it } from 'vitest'
import { relevance } from '../../../../src/engine/stages/relevance.ts'
import { type FakeDecide, fakeDecide, fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  countByLength,
  type EntrySpec,
  exchange,
  ofTokens,
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
        text: '[Tool result cleared: grep, succeeded, 80 tokens]',
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
    expect(edits.map((edit) => edit.op === 'drop' && edit.entry)).toEqual([1, 2, 3])
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
    expect(edits[0]).toMatchObject({ text: '[Tool result cleared: grep, failed, 80 tokens]' })
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
    const saved = 80 - countByLength('[Tool result cleared: run, succeeded, 80 tokens]')
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
})
