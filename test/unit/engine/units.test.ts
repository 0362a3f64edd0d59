import { describe, expect, it } from 'vitest'
import { droppableUnits } from '../../../src/engine/units.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  FRAMING_TOKENS,
  marker,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from './stage-input.ts'

function unitsOf(specs: readonly EntrySpec[], spec: Partial<StageSpec> = {}) {
  return droppableUnits(stageInput(buildTranscript(specs), { target: 1, ...spec }))
}

function entriesOf(specs: readonly EntrySpec[], spec: Partial<StageSpec> = {}) {
  return unitsOf(specs, spec).map((unit) => unit.entries)
}

describe('droppableUnits by age', () => {
  it('takes a question with the plain answers that follow it', () => {
    const specs = [
      user('task'),
      assistant('reply to a pin'),
      user('q1'),
      assistant('a1'),
      assistant('a1, more'),
      user('q2'),
      assistant('a2'),
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([[1], [2, 3, 4], [5, 6]])
  })

  it('takes linked messages together, apart from the plain ones around them', () => {
    const specs = [user('task'), user('q'), ...exchange('c1', 'out'), assistant('a'), user('now')]
    expect(entriesOf(specs)).toEqual([[1], [2, 3], [4]])
  })

  it('joins nothing over a gap: an answer that is not next is a unit of its own', () => {
    const specs = [user('task'), user('q'), assistant('pinned'), assistant('a'), user('now')]
    expect(entriesOf(specs, { pins: [2] })).toEqual([[1], [3]])
  })

  it('leaves out pins, and markers, which are replaced and not dropped', () => {
    const specs = [
      user('task'),
      marker(3),
      assistant('a'),
      user('s', { flags: { summary: true } }),
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([[2]])
  })

  it('takes a message with media for no plain one', () => {
    const image: EntrySpec = {
      role: 'user',
      parts: [{ kind: 'media', text: '[image]', tokens: 85 }],
    }
    const specs = [user('task'), image, assistant('a'), user('now')]
    expect(entriesOf(specs)).toEqual([[1], [2]])
  })

  it('weighs a unit by what its messages have now, framing included', () => {
    const specs = [user('task'), user(ofTokens(10, 'q')), assistant(ofTokens(20, 'a')), user('now')]
    const input = stageInput(buildTranscript(specs), { target: 1 })
    expect(droppableUnits(input).map(({ tokens }) => tokens)).toEqual([30 + 2 * FRAMING_TOKENS])
    input.state.apply({
      drops: new Set([2]),
      replacements: new Map([[1, new Map([[0, { text: 'q', tokens: 1, bytesSaved: 0 }]])]]),
    })
    expect(droppableUnits(input).map(({ tokens }) => tokens)).toEqual([1 + FRAMING_TOKENS])
  })

  it('never puts back the reply to a pinned question that another question follows', () => {
    const specs = [user('task'), assistant('reply'), user('q'), assistant('a'), user('now')]
    expect(unitsOf(specs).map(({ staysGone }) => staysGone)).toEqual([true, false])
    const twoReplies = [user('task'), assistant('a'), assistant('b'), user('now')]
    expect(unitsOf(twoReplies).map(({ staysGone }) => staysGone)).toEqual([false, false])
  })

  it('says nothing of need, also where a model has judged', () => {
    const specs = [user('task'), user('q'), assistant('a'), user('now')]
    expect(unitsOf(specs, { needed: new Map([[1, 0.1]]) })).toMatchObject([{ needed: undefined }])
  })

  it('finds nothing where everything is pinned, and nothing in nothing', () => {
    expect(entriesOf([user('task')])).toEqual([])
    expect(entriesOf([])).toEqual([])
  })

  it('takes a message without parts along', () => {
    const empty: EntrySpec = { role: 'assistant', parts: [] }
    expect(entriesOf([user('task'), user('q'), empty, user('now')])).toEqual([[1, 2]])
  })
})

describe('droppableUnits by need', () => {
  const specs = [
    user('task'),
    assistant(ofTokens(96, 'a')),
    user(ofTokens(96, 'b')),
    assistant(ofTokens(96, 'c')),
    ...exchange('c1', ofTokens(191, 'd')),
    ...exchange('c2', ofTokens(91, 'e')),
    user('now'),
  ]
  const byNeed = (needed: readonly (readonly [number, number])[]) =>
    unitsOf(specs, { needed: new Map(needed), rankByNeed: true })

  it('takes judged units in ascending need, ties oldest first', () => {
    const order = byNeed([
      [1, 0.9],
      [2, 0.1],
      [3, 0.1],
      [4, 0.95],
      [6, 0.96],
    ])
    expect(order.map(({ entries }) => entries[0])).toEqual([2, 3, 1, 4, 6])
  })

  it('takes unjudged units by age beside them, the same share of either gone at any point', () => {
    // Judged 300 tokens, unjudged 300: positions 1/3, 2/3, 1 against 2/3 and 1.
    const order = byNeed([
      [1, 0.3],
      [2, 0.2],
      [3, 0.1],
    ])
    expect(order.map(({ entries }) => entries[0])).toEqual([3, 2, 4, 1, 6])
  })

  it('judges a linked unit by its most needed message', () => {
    const [first] = byNeed([
      [4, 0.1],
      [5, 0.8],
      [1, 0.5],
    ]).filter(({ needed }) => needed !== undefined)
    expect(first?.entries).toEqual([1])
  })

  it('survives units without any tokens', () => {
    const bare = (role: 'user' | 'assistant'): EntrySpec => ({ role, parts: [], framingTokens: 0 })
    const empty = [user('task'), bare('assistant'), bare('assistant'), user('now')]
    expect(entriesOf(empty, { rankByNeed: true, needed: new Map([[1, 0]]) })).toEqual([[1], [2]])
  })
})
