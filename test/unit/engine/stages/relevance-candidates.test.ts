import { describe, expect, it } from 'vitest'
import type { EntryFlags } from '../../../../src/engine/transcript.ts'
import {
  assistant,
  calling,
  type EntrySpec,
  exchange,
  instructions,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { candidatesOf, entriesOf, reasoning } from './candidates-of.ts'

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

  it('asks about an answer whose only links are to its reasoning, by what the answer says', () => {
    const specs = [
      user('task'),
      reasoning('hm', 'r1'),
      reasoning('so', 'r1'),
      assistant('the answer', { links: ['r1'] }),
      assistant('another'),
      user('now'),
    ]
    expect(candidatesOf(specs)).toEqual([
      { entries: [1, 2, 3], document: { id: 'msg__1', role: 'assistant', text: 'the answer' } },
      { entries: [4], document: { id: 'msg__4', role: 'assistant', text: 'another' } },
    ])
    expect(entriesOf(specs, 'drop')).toEqual([[1, 2, 3], [4]])
  })

  it('takes it for no candidate where the reasoning is pinned, recent, gone or linked to more', () => {
    const specs = [
      user('task'),
      reasoning('hm', 'r1'),
      assistant('the answer', { links: ['r1'] }),
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([[1, 2]])
    expect(entriesOf(specs, 'keep', { pins: [1] })).toEqual([])
    expect(entriesOf(specs, 'keep', { protectRecent: 2 })).toEqual([])
    expect(entriesOf(specs, 'keep', { gone: [1] })).toEqual([])
    expect(entriesOf([...specs.slice(0, 3), assistant('more', { links: ['r1'] })])).toEqual([])
    expect(entriesOf([...specs.slice(0, 3), user('mine', { links: ['r1'] })])).toEqual([])
  })

  it('never asks about reasoning without an answer, or a question that is linked to reasoning', () => {
    const specs = [
      user('task'),
      reasoning('hm', 'r1'),
      reasoning('hm', 'r1'),
      reasoning('hm', 'r2'),
      user('q', { links: ['r2'] }),
      user('now'),
    ]
    expect(entriesOf(specs)).toEqual([])
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
