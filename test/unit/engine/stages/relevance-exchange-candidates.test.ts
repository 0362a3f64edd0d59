import { describe, expect, it } from 'vitest'
import {
  assistant,
  calling,
  type EntrySpec,
  exchange,
  marker,
  resultPart,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { candidatesOf, entriesOf, reasoning } from './candidates-of.ts'

const textOf = (text: string) => ({ kind: 'text' as const, text })

/** An exchange whose call says something first. */
function narrated(callId: string): EntrySpec[] {
  return [calling([{ callId }], 'so it is; next'), returning(callId, 'o')]
}

/** Reasoning and answer in one message. */
function thinking(text: string): EntrySpec {
  const parts = [{ kind: 'reasoning' as const, text: 'hm', rewritable: false }, textOf(text)]
  return { role: 'assistant', parts }
}

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

  it('shows the report beside the evidence, and no reasoning', () => {
    const specs = [
      user('task'),
      reasoning('hm', 'r1'),
      calling([{ callId: 'c1' }], '', { links: ['r1'] }),
      returning('c1', 'evidence'),
      reasoning('so', 'r2'),
      assistant('the claim', { links: ['r2'] }),
      user('now'),
    ]
    const [candidate] = candidatesOf(specs, 'drop')
    expect(candidate?.entries).toEqual([1, 2, 3, 4, 5])
    expect(candidate?.document).toEqual({
      id: 'msg__1',
      role: 'tool',
      text: '{}\nevidence\nthe claim',
    })
    expect(candidate?.exchange).toMatchObject({ reports: [4, 5], claim: undefined })
    expect(entriesOf(specs, 'clear')).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
  })

  it('takes every plain answer up to the next words of the user for the report', () => {
    const specs = [
      user('task'),
      ...exchange('c1', 'out'),
      assistant('it says so'),
      assistant('and that is that'),
      user('q'),
      assistant('a'),
      user('now'),
    ]
    expect(entriesOf(specs, 'drop')).toEqual([[1, 2, 3, 4], [5], [6]])
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

  it.each<[string, readonly EntrySpec[], readonly number[], number | undefined]>([
    ['nothing where the user speaks next', [user('q'), assistant('a')], [], undefined],
    ['a pinned report', [assistant('it says so')], [3], 3],
    ['a text in the call of the next exchange', narrated('c2'), [], 3],
    ['a report behind silent exchanges', [...exchange('c2', 'o'), assistant('both')], [], 5],
    ['a report with reasoning of its own', [thinking('it says so')], [], 3],
    ['a text behind a marker', [marker(2), assistant('so')], [], 4],
    ['no blank text', [assistant(' '), user('q'), assistant('a')], [], undefined],
  ])('knows the claim that may rest on an exchange: %s', (_, behind, pins, claim) => {
    const specs = [user('task'), ...exchange('c1', 'out'), ...behind, user('now')]
    const [candidate] = candidatesOf(specs, 'drop', { pins })
    expect(candidate?.entries).toEqual([1, 2])
    expect(candidate?.exchange).toMatchObject({ claim, mayDrop: true })
    const [cleared] = candidatesOf(specs, 'clear', { pins })
    expect(cleared?.exchange).toMatchObject({ claim: undefined, mayDrop: false, reports: [] })
  })

  it('looks for the claim behind the report too', () => {
    const specs = [
      user('task'),
      ...exchange('c1', 'out'),
      assistant('done'),
      ...narrated('c2'),
      user('now'),
    ]
    expect(candidatesOf(specs, 'drop')[0]).toMatchObject({
      entries: [1, 2, 3],
      exchange: { reports: [3], claim: 4 },
    })
  })

  it('gives parallel exchanges the report behind the last of them', () => {
    const specs = [
      user('task'),
      calling([{ callId: 'c1' }]),
      calling([{ callId: 'c2' }]),
      returning('c1', 'one'),
      returning('c2', 'two'),
      assistant('one and two'),
      user('now'),
    ]
    expect(candidatesOf(specs, 'drop')).toMatchObject([
      { entries: [1, 3], exchange: { reports: [], claim: 5 } },
      { entries: [2, 4, 5], exchange: { reports: [5], claim: undefined } },
    ])
  })

  it('drops no exchange with a text among its results that is none of its own', () => {
    const between = (text: EntrySpec) => [
      user('task'),
      calling([{ callId: 'c1' }, { callId: 'c2' }]),
      returning('c1', 'one'),
      text,
      returning('c2', 'two'),
      user('now'),
    ]
    const mayDrop = (text: EntrySpec) =>
      candidatesOf(between(text), 'drop').flatMap(({ exchange: read }) => read?.mayDrop ?? [])
    expect(mayDrop(assistant('so far so good'))).toEqual([false])
    expect(mayDrop(assistant('so far so good', { links: ['call:c1'] }))).toEqual([true])
    expect(mayDrop(assistant(' '))).toEqual([true])
  })

  it('takes a message that holds call and result for an exchange, and a lone result for none', () => {
    const whole: EntrySpec = {
      role: 'assistant',
      parts: [
        ...calling([{ callId: 'c1' }]).parts,
        resultPart('c1', 'found'),
        textOf('it says so'),
      ],
    }
    const specs = [user('task'), whole, returning('c9', 'orphan'), user('now')]
    expect(entriesOf(specs, 'clear')).toEqual([[1]])
    expect(entriesOf(specs, 'drop')).toEqual([[1]])
    expect(candidatesOf(specs, 'drop')[0]?.document.text).toBe('{}\nfound\nit says so')
  })

  it.each(['media', 'opaque'] as const)(
    'drops no exchange with %s, which nobody could judge',
    (kind) => {
      const shown: EntrySpec = {
        role: 'tool',
        parts: [resultPart('c1', 'out'), { kind, text: `[${kind}]`, rewritable: false }],
      }
      const specs = [
        user('task'),
        calling([{ callId: 'c1' }]),
        shown,
        assistant('it says so'),
        user('now'),
      ]
      expect(candidatesOf(specs, 'drop')).toMatchObject([
        { entries: [1, 2], exchange: { mayDrop: false, reports: [] } },
        { entries: [3] },
      ])
    },
  )

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
    const condensed = calling([{ callId: 'c1' }], '', { flags: { condensed: true } })
    expect(entriesOf([user('task'), condensed, returning('c1', 'o'), user('now')], 'drop')).toEqual(
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
    const receipt = '[run: ok, 90 lines, cleared as not needed]'
    expect(entriesOf([user('task'), ...exchange('c1', receipt), user('now')], 'clear')).toEqual([])
    const signed: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', 'out', { rewritable: false })],
    }
    expect(
      entriesOf([user('task'), calling([{ callId: 'c1' }]), signed, user('now')], 'clear'),
    ).toEqual([])
  })
})
