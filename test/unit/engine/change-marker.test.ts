import { describe, expect, it } from 'vitest'
import { prepareChange, safePosition } from '../../../src/engine/change.ts'
import type { Edit } from '../../../src/engine/edit.ts'
import { closeLinks } from '../../../src/engine/groups.ts'
import { markerText, parseMarker } from '../../../src/engine/marker.ts'
import { fakePorts } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  instructions,
  marker,
  returning,
  user,
} from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

function contextOf(specs: readonly EntrySpec[], pins: readonly number[] = []) {
  return { ...stageInput(buildTranscript(specs), { target: 1, pins }), ports: fakePorts() }
}

function dropAll(context: ReturnType<typeof contextOf>, entries: readonly number[]) {
  const edits = entries.map((entry): Edit => ({ op: 'drop', entry, reason: 'oldest' }))
  return prepareChange('truncate', edits, 'truncated', context)
}

const CHAT = [user('task'), assistant('a'), user('b'), assistant('c'), user('d'), assistant('e')]

describe('the marker of prepareChange', () => {
  it('counts what goes and stands where the first of it stood', () => {
    const { change } = dropAll(contextOf(CHAT), [3, 2, 1])
    expect(change.marker).toEqual({
      kind: 'marker',
      before: 1,
      role: 'assistant',
      text: markerText(3),
      covers: 3,
      bytes: 0,
      stage: 'truncate',
      tokens: fakePorts().countInsertion(markerText(3)),
    })
  })

  it('is left out where nothing goes', () => {
    expect(dropAll(contextOf(CHAT), [0]).change.marker).toBeUndefined()
  })

  it('takes the place of the marker before it, and counts on from there', () => {
    const specs = [user('task'), marker(40), assistant('a'), user('b'), assistant('c'), user('d')]
    const { change, why } = dropAll(contextOf(specs), [2, 3])
    expect(change.marker).toMatchObject({ before: 1, text: markerText(42), covers: 42 })
    expect(change.drops).toEqual(new Set([1, 2, 3]))
    expect(why.get(1)).toEqual({ stage: 'truncate', reason: 'superseded-marker' })
  })

  it('counts no marker as a message, also where a stage has proposed to drop it', () => {
    const specs = [user('task'), marker(40), assistant('a'), user('now')]
    expect(dropAll(contextOf(specs), [1, 2]).change.marker).toMatchObject({ covers: 41 })
  })

  it('takes a marker without a count for one that stands for nothing known', () => {
    const specs = [user('task'), marker(0), assistant('a'), user('now')]
    expect(dropAll(contextOf(specs), [2]).change.marker).toMatchObject({ covers: 1 })
  })

  it('merges several markers, wherever they stand', () => {
    const specs = [
      user('task'),
      assistant('a'),
      marker(3),
      user('b'),
      assistant('c'),
      marker(4),
      user('d'),
    ]
    const { change } = dropAll(contextOf(specs), [4])
    expect(change.marker).toMatchObject({ before: 2, covers: 8 })
    expect(change.drops).toEqual(new Set([2, 4, 5]))
  })

  it('counts on from a marker that an earlier stage of this run has left', () => {
    const context = contextOf(CHAT)
    context.state.apply(dropAll(context, [1]).change)
    const { change } = dropAll(context, [3])
    expect(change.marker).toMatchObject({ before: 1, covers: 2 })
    context.state.apply(change)
    expect(context.state.insertions).toHaveLength(1)
  })

  it('leaves a summary of this run standing', () => {
    const context = contextOf(CHAT)
    const insertion = { kind: 'summary', before: 1, role: 'user', text: 'gist', covers: 1 } as const
    const edits: Edit[] = [
      { op: 'drop', entry: 1, reason: 'summarized' },
      { op: 'insert', reason: 'summary', insertion },
    ]
    context.state.apply(prepareChange('summarize', edits, undefined, context).change)
    context.state.apply(dropAll(context, [3]).change)
    expect(context.state.insertions.map(({ kind, covers }) => [kind, covers])).toEqual([
      ['summary', 1],
      ['marker', 1],
    ])
  })

  it('never stands between a call and its result', () => {
    const specs = [
      user('task'),
      calling([{ callId: 'c1' }]),
      assistant('aside'),
      returning('c1', 'late'),
      user('now'),
    ]
    const { change } = dropAll(contextOf(specs, [1]), [2])
    expect(change.drops).toEqual(new Set([2]))
    expect(change.marker).toMatchObject({ before: 1 })
  })

  it.each([
    ['user', 'user', 'assistant'],
    ['user', 'assistant', 'user'],
    ['assistant', 'user', 'user'],
    ['assistant', 'assistant', 'user'],
  ] as const)('between %s and %s speaks as %s', (previous, next, expected) => {
    const specs: EntrySpec[] = [
      instructions('i'),
      { ...user('x'), role: previous },
      assistant('gone'),
      { ...user('y'), role: next },
      user('now'),
    ]
    expect(dropAll(contextOf(specs, [1, 3]), [2]).change.marker?.role).toBe(expected)
  })

  it('speaks as the user where it is first or last of all', () => {
    expect(
      dropAll(contextOf([assistant('a'), user('b'), assistant('c')], [1]), [0, 2]).change.marker,
    ).toMatchObject({ before: 0, role: 'user' })
  })

  it('looks past messages that are gone for its neighbours', () => {
    const specs = [user('task'), assistant('a'), assistant('b'), assistant('c'), user('now')]
    const context = contextOf(specs)
    context.state.apply({ drops: new Set([1, 3]), replacements: new Map() })
    expect(dropAll(context, [2]).change.marker?.role).toBe('assistant')
  })

  it('can be read back, however many messages it stands for', () => {
    const most = 999_999_999_999_999
    const specs = [user('task'), marker(most), assistant('a'), user('now')]
    const { change } = dropAll(contextOf(specs), [2])
    expect(parseMarker(change.marker?.text ?? '')).toBeDefined()
  })
})

describe('safePosition', () => {
  const groupsOf = (specs: readonly EntrySpec[]) => closeLinks(buildTranscript(specs))

  it('stays where no group is open, also at both ends', () => {
    const groups = groupsOf([user('a'), ...exchange('c1', 'r'), user('b')])
    expect([0, 1, 3, 4].map((position) => safePosition(position, groups))).toEqual([0, 1, 3, 4])
    expect(safePosition(2, groups)).toBe(1)
  })

  it('moves before every group that reaches over it, also by way of another', () => {
    const chain = (...links: string[]) => user('x', { links })
    const groups = groupsOf([
      user('a'),
      chain('p'),
      chain('q'),
      chain('p'),
      chain('r'),
      chain('q'),
      chain('r'),
    ])
    expect(safePosition(6, groups)).toBe(1)
    expect(safePosition(1, groups)).toBe(1)
  })
})
