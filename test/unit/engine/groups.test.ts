import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import {
  assistant,
  buildTranscript,
  calling,
  exchange,
  returning,
  user,
} from '../../helpers/transcript-builder.ts'

const linked = (...links: string[]) => user('x', { links })

function membersOf(specs: Parameters<typeof buildTranscript>[0]) {
  return [...closeLinks(buildTranscript(specs)).members.values()]
}

describe('closeLinks', () => {
  it('leaves unlinked entries in groups of one', () => {
    expect(membersOf([user('a'), assistant('b')])).toEqual([[0], [1]])
  })

  it('puts a call and all its results into one group', () => {
    const specs = [
      user('a'),
      calling([{ callId: 'c1' }, { callId: 'c2' }]),
      returning('c1', 'one'),
      returning('c2', 'two'),
    ]
    expect(membersOf(specs)).toEqual([[0], [1, 2, 3]])
  })

  it('closes over chains of labels, in whatever order they are met', () => {
    const specs = [linked('a'), linked('c'), linked('b'), linked('b', 'c'), linked('a', 'b')]
    expect(membersOf(specs)).toEqual([[0, 1, 2, 3, 4]])
  })

  it('names a group by its first entry, its members ascending', () => {
    const groups = closeLinks(
      buildTranscript([user('a'), linked('y'), linked('x'), linked('x', 'y')]),
    )
    expect(groups.of).toEqual([0, 1, 1, 1])
    expect(groups.members.get(1)).toEqual([1, 2, 3])
  })

  it('keeps exchanges apart that share no label', () => {
    expect(membersOf([...exchange('c1', 'r'), ...exchange('c2', 'r')])).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  it('takes a label twice on one entry as one', () => {
    expect(membersOf([linked('a', 'a'), user('x')])).toEqual([[0], [1]])
  })

  it('has no groups for an empty conversation', () => {
    expect(membersOf([])).toEqual([])
  })
})
