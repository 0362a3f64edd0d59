import { describe, expect, it } from 'vitest'
import type { RelevanceOptions } from '../../../../src/engine/options.ts'
import { collectCandidates } from '../../../../src/engine/stages/relevance-candidates.ts'
import type { EntryFlags } from '../../../../src/engine/transcript.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  instructions,
  resultPart,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

function candidatesOf(
  specs: readonly EntrySpec[],
  toolExchanges: RelevanceOptions['toolExchanges'] = 'keep',
  options: { pins?: readonly number[]; protectRecent?: number; gone?: readonly number[] } = {},
) {
  const { pins = [], protectRecent = 0, gone = [] } = options
  const input = stageInput(buildTranscript(specs), {
    target: 1,
    pins,
    options: { protectRecent, relevance: { toolExchanges } },
  })
  input.state.apply({ drops: new Set(gone), replacements: new Map() })
  return collectCandidates(input)
}

const entriesOf = (...args: Parameters<typeof candidatesOf>) =>
  candidatesOf(...args).map(({ entries }) => entries)

describe('collectCandidates of messages', () => {
  it('asks about plain user and assistant messages with text', () => {
    const specs = [
      user('task'),
      assistant('a'),
      user('b', { speaker: 'ops' }),
      instructions('i'),
      user('now'),
    ]
    expect(candidatesOf(specs)).toEqual([
      { entries: [1], document: { id: 'msg__1', role: 'assistant', text: 'a' } },
      { entries: [2], document: { id: 'msg__2', role: 'user', text: 'b', speaker: 'ops' } },
    ])
  })

  it.each<[string, EntryFlags]>([
    ['a summary', { summary: true }],
    ['a pinned skill', { skill: true }],
    ['a marker', { marker: true }],
    ['a condensed placeholder', { condensed: true }],
    ['a message with events', { events: true }],
  ])('never asks about %s', (_, flags) => {
    expect(entriesOf([user('task'), assistant('x', { flags }), user('now')])).toEqual([])
  })

  it.each<[string, EntrySpec]>([
    ['blank text', assistant(' \n ')],
    ['no parts', { role: 'assistant', parts: [] }],
    ['media', { role: 'user', parts: [{ kind: 'media', text: '[image]' }] }],
    [
      'reasoning',
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'r' },
          { kind: 'text', text: 't' },
        ],
      },
    ],
    ['a pending call', calling([{ callId: 'open' }], 'let me see')],
    ['a link', assistant('x', { links: ['label'] })],
    ['an orphaned result', returning('c9', 'out')],
  ])('never asks about a message with %s', (_, spec) => {
    expect(entriesOf([user('task'), spec, user('now')])).toEqual([])
  })

  it('never asks about the recent messages, pins or what is gone', () => {
    const specs = [user('task'), ...Array.from({ length: 8 }, (_, index) => assistant(`m${index}`))]
    expect(entriesOf(specs, 'keep', { protectRecent: 6, pins: [2] })).toEqual([[1]])
    expect(entriesOf(specs, 'keep', { protectRecent: 6, gone: [1] })).toEqual([[2]])
  })

  it('asks about no exchange by default', () => {
    expect(entriesOf([user('task'), ...exchange('c1', 'out'), user('now')])).toEqual([])
  })
})

const EXCHANGE = [
  user('task'),
  calling([{ callId: 'c1' }, { callId: 'c2' }], 'looking'),
  returning('c1', 'one'),
  returning('c2', 'two'),
  assistant('it says one and two'),
  user('now'),
]

describe('collectCandidates of tool exchanges', () => {
  it('asks once about a call with all its results, and apart about the report where it would stay', () => {
    expect(entriesOf(EXCHANGE, 'clear')).toEqual([[1, 2, 3], [4]])
    expect(candidatesOf(EXCHANGE, 'clear')[0]?.document).toEqual({
      id: 'msg__1',
      role: 'tool',
      text: 'looking\n{}\n{}\none\ntwo',
    })
  })

  it('asks about the report together with what it rests on where both would go', () => {
    expect(entriesOf(EXCHANGE, 'drop')).toEqual([[1, 2, 3, 4]])
  })

  it('takes no user message, pin or second exchange for the report', () => {
    expect(
      entriesOf([user('task'), ...exchange('c1', 'out'), user('b'), user('now')], 'drop'),
    ).toEqual([[1, 2], [3]])
    expect(entriesOf(EXCHANGE, 'drop', { pins: [4] })).toEqual([[1, 2, 3]])
    expect(
      entriesOf(
        [user('task'), ...exchange('c1', 'o'), ...exchange('c2', 'o'), user('now')],
        'drop',
      ),
    ).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('asks about no exchange that is pinned in part, pending in part, or gone', () => {
    expect(entriesOf(EXCHANGE, 'clear', { pins: [2] })).toEqual([[4]])
    expect(entriesOf(EXCHANGE, 'clear', { gone: [1, 2, 3] })).toEqual([[4]])
    const pending = [
      user('task'),
      calling([{ callId: 'c1' }, { callId: 'open' }]),
      returning('c1', 'o'),
      user('now'),
    ]
    expect(entriesOf(pending, 'clear')).toEqual([])
  })

  it('asks about no exchange with events, and no linked messages without a result', () => {
    const events = calling([{ callId: 'c1' }], '', { flags: { events: true } })
    expect(entriesOf([user('task'), events, returning('c1', 'o'), user('now')], 'clear')).toEqual(
      [],
    )
    const linked = [
      user('task'),
      assistant('a', { links: ['l'] }),
      assistant('b', { links: ['l'] }),
      user('now'),
    ]
    expect(entriesOf(linked, 'drop')).toEqual([])
  })

  it('asks about no exchange of which there is nothing to clear', () => {
    const cleared = [
      user('task'),
      ...exchange('c1', '[Tool result cleared: run, succeeded, 90 tokens]'),
      user('now'),
    ]
    expect(entriesOf(cleared, 'clear')).toEqual([])
    expect(entriesOf(cleared, 'drop')).toEqual([[1, 2]])
    const signed: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', 'out', { rewritable: false })],
    }
    expect(
      entriesOf([user('task'), calling([{ callId: 'c1' }]), signed, user('now')], 'clear'),
    ).toEqual([])
  })
})
