import { describe, expect, it } from 'vitest'
import { countDrops, type Explain, listActions } from '../../../src/engine/actions.ts'
import type { Why } from '../../../src/engine/change.ts'
import {
  assistant,
  buildTranscript,
  exchange,
  marker,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

const SPECS = [
  user('task', { id: 'm0' }),
  assistant(ofTokens(30, 'a'), { id: 'm1' }),
  ...exchange('c1', ofTokens(50, 'out')),
  assistant('b'),
  user('now'),
]

function applied() {
  const input = stageInput(buildTranscript(SPECS), { target: 1 })
  input.state.apply({
    drops: new Set([1]),
    replacements: new Map([[3, new Map([[0, { text: 'cut', tokens: 1, bytesSaved: 0 }]])]]),
    marker: {
      kind: 'marker',
      before: 1,
      role: 'user',
      text: 'm',
      covers: 1,
      stage: 'truncate',
      tokens: 9,
      bytes: 0,
    },
    summary: {
      kind: 'summary',
      before: 6,
      role: 'user',
      text: 's',
      covers: 1,
      stage: 'summarize',
      tokens: 4,
      bytes: 0,
    },
  })
  return input
}

const WHY = new Map<number, Why>([
  [1, { stage: 'truncate', reason: 'oldest' }],
  [3, { stage: 'prune', reason: 'old-tool-output' }],
])

function actionsOf(explain: Explain, needed = new Map<number, number>()) {
  const input = applied()
  const before = stageInput(buildTranscript(SPECS), { target: 1 }).state.total
  const actions = listActions({
    ...input,
    pipeline: { why: WHY, needed },
    plan: input.state.plan(),
    explain,
  })
  return { actions, saved: before - input.state.total }
}

describe('listActions', () => {
  it('has one action per message that changed, in the order of the conversation', () => {
    const { actions } = actionsOf('changed')
    expect(
      actions.map(({ index, action, stage, reason }) => [index, action, stage, reason]),
    ).toEqual([
      [1, 'inserted', 'truncate', 'marker'],
      [1, 'dropped', 'truncate', 'oldest'],
      [3, 'rewritten', 'prune', 'old-tool-output'],
      [6, 'inserted', 'summarize', 'summary'],
    ])
  })

  it('adds up to what was saved, whether or not it lists what was kept', () => {
    for (const explain of ['changed', 'all'] as const) {
      const { actions, saved } = actionsOf(explain)
      const sum = actions.reduce(
        (total, { tokensBefore, tokensAfter }) => total + tokensBefore - tokensAfter,
        0,
      )
      expect(sum).toBe(saved)
    }
  })

  it('lists nothing where nothing is to be explained', () => {
    expect(actionsOf('none').actions).toEqual([])
  })

  it('lists kept messages with what pinned them, or that nothing could take them', () => {
    const { actions } = actionsOf('all', new Map([[4, 0.7]]))
    const kept = actions.filter(({ action }) => action === 'kept')
    expect(kept.map(({ index, reason }) => [index, reason])).toEqual([
      [0, 'first-task'],
      [2, 'not-judged'],
      [4, 'within-target'],
      [5, 'current-request'],
    ])
    expect(kept.every(({ tokensBefore, tokensAfter }) => tokensBefore === tokensAfter)).toBe(true)
  })

  it('carries ids and judgements where there are any, and leaves them out where not', () => {
    const { actions } = actionsOf('changed', new Map([[1, 0.1]]))
    const dropped = actions.find(({ action }) => action === 'dropped')
    expect(dropped).toMatchObject({ id: 'm1', probability: 0.1, confidence: 0.8 })
    const rewritten = actions.find(({ action }) => action === 'rewritten')
    expect(rewritten).not.toHaveProperty('id')
    expect(rewritten).not.toHaveProperty('probability')
  })
})

describe('countDrops', () => {
  const why = new Map<number, Why>([
    [1, { stage: 'relevance', reason: 'not-needed' }],
    [2, { stage: 'truncate', reason: 'oldest' }],
    [3, { stage: 'truncate', reason: 'oldest' }],
    [4, { stage: 'truncate', reason: 'superseded-marker' }],
    [5, { stage: 'prune', reason: 'old-tool-output' }],
  ])
  const planOf = (...dropped: number[]) => ({
    dropped: new Set(dropped),
    replaced: new Map(),
    insertions: [],
  })

  it('counts what is gone by stage and reason, no marker among it', () => {
    expect(countDrops(planOf(1, 2, 3, 4), why)).toEqual([
      { stage: 'relevance', reason: 'not-needed', count: 1 },
      { stage: 'truncate', reason: 'oldest', count: 2 },
    ])
  })

  it('counts nothing that was only rewritten, and nothing without a reason', () => {
    expect(countDrops(planOf(9), why)).toEqual([])
  })

  it('counts a marker under no stage', () => {
    const input = stageInput(buildTranscript([user('task'), marker(3), user('now')]), { target: 1 })
    input.state.apply({ drops: new Set([1]), replacements: new Map() })
    const gone = new Map<number, Why>([[1, { stage: 'truncate', reason: 'superseded-marker' }]])
    expect(countDrops(input.state.plan(), gone)).toEqual([])
  })
})
