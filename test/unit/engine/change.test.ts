import { describe, expect, it } from 'vitest'
import { prepareChange } from '../../../src/engine/change.ts'
import type { Edit } from '../../../src/engine/edit.ts'
import { fakePorts } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  calling,
  exchange,
  instructions,
  returning,
  user,
} from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

const drop = (entry: number, reason = 'oldest'): Edit => ({ op: 'drop', entry, reason })

function changeOf(
  specs: Parameters<typeof buildTranscript>[0],
  edits: readonly Edit[],
  options: { pins?: readonly number[]; stage?: 'summarize' | 'truncate' } = {},
) {
  const { pins = [], stage = 'truncate' } = options
  const input = stageInput(buildTranscript(specs), { target: 1, pins })
  return prepareChange(stage, edits, undefined, { ...input, ports: fakePorts() })
}

const PARALLEL = [
  user('task'),
  calling([{ callId: 'c1' }, { callId: 'c2' }]),
  returning('c1', 'one'),
  returning('c2', 'two'),
  assistant('so'),
  user('now'),
]

describe('the drops of prepareChange', () => {
  it.each([1, 2, 3])('close over the links of message %d', (entry) => {
    const { change, why } = changeOf(PARALLEL, [drop(entry)])
    expect(change.drops).toEqual(new Set([1, 2, 3]))
    for (const index of [1, 2, 3]) {
      expect(why.get(index)?.reason).toBe(index === entry ? 'oldest' : 'linked')
    }
  })

  it('name a message’s own reason, whether it is met before or after its link’s', () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const { why } = changeOf(
        PARALLEL,
        order.map((entry) => drop(entry)),
      )
      expect([1, 2, 3].map((index) => why.get(index)?.reason)).toEqual([
        'oldest',
        'oldest',
        'linked',
      ])
    }
  })

  it('leave out a whole group of which one member is pinned', () => {
    const { change, why } = changeOf(PARALLEL, [drop(2), drop(4)], { pins: [3] })
    expect(change.drops).toEqual(new Set([4]))
    expect(why.has(2)).toBe(false)
  })

  it('leave out everything that is pinned', () => {
    const specs = [
      instructions('rules'),
      user('task'),
      user('old summary', { flags: { summary: true } }),
      user('skill', { flags: { skill: true } }),
      calling([{ callId: 'open' }]),
      assistant('named by the caller'),
      user('now'),
    ]
    const edits = specs.map((_, index) => drop(index))
    expect(changeOf(specs, edits, { pins: [5] }).change.drops.size).toBe(0)
  })

  it('let only a newer summary replace a summary', () => {
    const specs = [
      user('task'),
      user('s', { flags: { summary: true } }),
      assistant('a'),
      user('now'),
    ]
    const edits = [drop(1), drop(2)]
    expect(changeOf(specs, edits, { stage: 'summarize' }).change.drops).toEqual(new Set([1, 2]))
    expect(changeOf(specs, edits, { stage: 'truncate' }).change.drops).toEqual(new Set([2]))
  })

  it('are no news where the message is gone already or never was', () => {
    const input = stageInput(buildTranscript(PARALLEL), { target: 1 })
    input.state.apply({ drops: new Set([4]), replacements: new Map() })
    const context = { ...input, ports: fakePorts() }
    const { change, why } = prepareChange(
      'truncate',
      [drop(4), drop(99), drop(-1)],
      undefined,
      context,
    )
    expect(change.drops.size).toBe(0)
    expect(why.size).toBe(0)
  })

  it('carry the probability and confidence that they were proposed with, over links too', () => {
    const edit: Edit = { ...drop(1, 'not-needed'), probability: 0.1, confidence: 0.8 } as Edit
    const { why } = changeOf(PARALLEL, [edit])
    expect(why.get(1)).toEqual({
      stage: 'truncate',
      reason: 'not-needed',
      probability: 0.1,
      confidence: 0.8,
    })
    expect(why.get(3)).toMatchObject({ reason: 'linked', probability: 0.1 })
  })

  it('count each message once, however often it is proposed', () => {
    const specs = [user('task'), ...exchange('c1', 'one'), user('now')]
    const { change } = changeOf(specs, [drop(1), drop(2), drop(1), drop(1)])
    expect([...change.drops]).toEqual([1, 2])
  })
})

describe('the summary of prepareChange', () => {
  const insertion = { kind: 'summary', before: 1, role: 'user', text: 'gist', covers: 2 } as const

  it('stands where it was asked for, counted as the message that it becomes', () => {
    const edits: Edit[] = [drop(1), { op: 'insert', reason: 'summary', insertion }]
    const { change } = changeOf(PARALLEL, edits, { stage: 'summarize' })
    expect(change.summary).toEqual({
      ...insertion,
      stage: 'summarize',
      bytes: 0,
      tokens: fakePorts().countInsertion('gist'),
    })
  })

  it('is left out where nothing goes for it', () => {
    const edits: Edit[] = [drop(0), { op: 'insert', reason: 'summary', insertion }]
    expect(changeOf(PARALLEL, edits, { stage: 'summarize' }).change.summary).toBeUndefined()
  })
})
