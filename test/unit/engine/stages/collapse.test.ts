import { describe, expect, it } from 'vitest'
import { collapse } from '../../../../src/engine/stages/collapse.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  marker,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

function run(specs: readonly EntrySpec[], keepRecent: number, pins: readonly number[] = []) {
  return collapse(
    stageInput(buildTranscript(specs), { target: 1, pins, options: { collapse: { keepRecent } } }),
  )
}

const droppedBy = (...args: Parameters<typeof run>) =>
  run(...args).edits.map((edit) => (edit.op === 'drop' ? edit.entry : -1))

const chat = (length: number) =>
  Array.from({ length }, (_, index) =>
    index % 2 === 0 ? user(`u${index}`) : assistant(`a${index}`),
  )

describe('collapse', () => {
  it('keeps the first and the most recent messages, with a counting marker, only if that fits', () => {
    expect(run(chat(10), 2)).toMatchObject({ marker: 'snipped', onlyIfItFits: true })
    expect(droppedBy(chat(10), 2)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it.each([
    [8, 6, []],
    [9, 6, [1, 2]],
    [2, 0, []],
    [3, 0, [1]],
  ])('of %d messages with %d recent ones drops %j', (length, keepRecent, expected) => {
    // The last user message is pinned as the current request, whatever is recent.
    expect(droppedBy(chat(length), keepRecent)).toEqual(expected)
  })

  it('keeps no recent message but the pinned where none is to be kept', () => {
    expect(droppedBy(chat(7), 0)).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps the first message even where it is not the task', () => {
    const specs = [assistant('welcome'), user('task'), assistant('a'), assistant('b'), user('now')]
    expect(droppedBy(specs, 1)).toEqual([2, 3])
  })

  it('keeps harness text at the start and the task after it', () => {
    const specs = [user('[system] context'), user('task'), ...chat(8)]
    expect(droppedBy(specs, 2)).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('opens the tail with no half exchange', () => {
    const specs = [
      user('task'),
      assistant('a'),
      assistant('b'),
      ...exchange('c1', 'out'),
      user('now'),
    ]
    expect(droppedBy(specs, 2)).toEqual([1, 2])
  })

  it('keeps pins in the middle', () => {
    expect(droppedBy(chat(10), 2, [4])).toEqual([1, 2, 3, 5, 6, 7])
  })

  it('lets an old marker go, also where it stands first', () => {
    const specs = [marker(9), user('task'), ...chat(8)]
    expect(droppedBy(specs, 2)).toContain(0)
  })

  it('does not count what is gone already', () => {
    const input = stageInput(buildTranscript(chat(10)), {
      target: 1,
      options: { collapse: { keepRecent: 6 } },
    })
    input.state.apply({ drops: new Set([1, 3]), replacements: new Map() })
    expect(collapse(input).edits).toEqual([])
  })
})
