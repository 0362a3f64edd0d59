import { describe, expect, it } from 'vitest'
import { droppableUnits } from '../../../src/engine/units.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  FRAMING_TOKENS,
  marker,
  ofTokens,
  returning,
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

function reasoning(link: string): EntrySpec {
  const parts = [{ kind: 'reasoning' as const, text: 'hm', rewritable: false }]
  return { role: 'assistant', parts, links: [link] }
}

describe('droppableUnits of answers with reasoning', () => {
  it('takes a question with its answer, whether reasoning is linked to it or a part of it', () => {
    const thinking: EntrySpec = {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'hm', rewritable: false },
        { kind: 'text', text: 'a' },
      ],
    }
    const specs = [
      user('task'),
      user('q1'),
      reasoning('r1'),
      assistant('a1', { links: ['r1'] }),
      assistant('a1, more'),
      user('q2'),
      thinking,
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ])
  })

  it('joins no answer whose reasoning is linked to a call as well', () => {
    const specs = [
      user('task'),
      user('q'),
      reasoning('r1'),
      assistant('a', { links: ['r1'] }),
      calling([{ callId: 'c1' }], '', { links: ['r1'] }),
      returning('c1', 'o'),
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([[1], [2, 3, 4, 5]])
  })

  it('joins no answer that is linked over a gap', () => {
    const specs = [
      user('task'),
      user('q'),
      reasoning('r1'),
      assistant('pinned'),
      assistant('a', { links: ['r1'] }),
      assistant('b'),
      user('now'),
    ]
    expect(entriesOf(specs, { pins: [3] })).toEqual([[1], [2, 4], [5]])
  })

  it('never puts back the reply to a pinned question, its reasoning included', () => {
    const specs = [
      user('task'),
      reasoning('r1'),
      assistant('reply', { links: ['r1'] }),
      user('q'),
      assistant('a'),
      user('now'),
    ]
    expect(unitsOf(specs)).toMatchObject([
      { entries: [1, 2], staysGone: true },
      { entries: [3, 4], staysGone: false },
    ])
  })

  it('takes a message of the user that is linked to reasoning for no question', () => {
    const specs = [user('task'), reasoning('r'), user('q', { links: ['r'] }), assistant('a')]
    expect(entriesOf([...specs, user('now')])).toEqual([[1, 2], [3]])
  })
})

describe('droppableUnits of pairs by need', () => {
  const specs = [user('task'), user('q'), assistant('a'), user('r'), assistant('b'), user('now')]
  const pairsOf = (needed: readonly (readonly [number, number])[], pairs?: boolean) =>
    unitsOf(specs, {
      needed: new Map(needed),
      rankByNeed: true,
      ...(pairs !== undefined && { options: { relevance: { pairs } } }),
    }).map(({ entries, needed: need }) => [entries, need])

  it('keeps a question and its answer together, by the higher need of the two', () => {
    const needed = [
      [1, 0.1],
      [2, 0.5],
      [3, 0.2],
      [4, 0.3],
    ] as const
    expect(pairsOf(needed)).toEqual([
      [[3, 4], 0.3],
      [[1, 2], 0.5],
    ])
    expect(pairsOf(needed, false)).toEqual([
      [[1], 0.1],
      [[3], 0.2],
      [[4], 0.3],
      [[2], 0.5],
    ])
  })

  it('pairs what nobody judged, and no judged message with one that was not', () => {
    const entries = (needed: readonly (readonly [number, number])[]) =>
      pairsOf(needed).map(([members]) => members)
    expect(entries([])).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(new Set(entries([[1, 0.1]]))).toEqual(new Set([[1], [2], [3, 4]]))
  })
})

describe('droppableUnits by need', () => {
  const specs = [
    user('task'),
    assistant(ofTokens(96, 'a')),
    user(ofTokens(96, 'b')),
    user(ofTokens(96, 'c')),
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
