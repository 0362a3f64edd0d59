import { describe, expect, it } from 'vitest'
import { type Slot, slotsOf, viewAfter } from '../../../../src/conversation/steps/view.ts'
import type { Insertion, Plan } from '../../../../src/engine/edit.ts'

const items = ['a', 'b', 'c', 'd']

const marker = (before: number, text = 'marker'): Insertion => ({
  kind: 'marker',
  before,
  role: 'user',
  text,
  covers: 1,
})

const planOf = (dropped: readonly number[], ...insertions: Insertion[]): Plan => ({
  dropped: new Set(dropped),
  replaced: new Map(),
  insertions,
})

const shown = (view: readonly Slot[]) => view.map(({ item, origin }) => [item, origin ?? 'put in'])

describe('slotsOf', () => {
  it('gives the messages of a range with their posted numbers', () => {
    expect(slotsOf(items, 1, 3)).toEqual([
      { item: 'b', origin: 1 },
      { item: 'c', origin: 2 },
    ])
  })
})

describe('viewAfter', () => {
  it('keeps the posted number of what is left, and takes what the plan made of it', () => {
    const view = viewAfter(slotsOf(items, 0, 4), planOf([1]), ['a', 'C', 'd'])
    expect(shown(view)).toEqual([
      ['a', 0],
      ['C', 2],
      ['d', 3],
    ])
  })

  it('knows what was put in, at the beginning, in the middle and at the end, in whatever order it is told', () => {
    const [first, second, third] = [marker(0), marker(2), marker(4)]
    const view = viewAfter(slotsOf(items, 0, 4), planOf([0, 1], third, first, second), [
      'x',
      'y',
      'c',
      'd',
      'z',
    ])
    expect(shown(view)).toEqual([
      ['x', 'put in'],
      ['y', 'put in'],
      ['c', 2],
      ['d', 3],
      ['z', 'put in'],
    ])
    expect(view.map(({ insertion }) => insertion)).toEqual([
      first,
      second,
      undefined,
      undefined,
      third,
    ])
  })

  it('carries what an earlier step put in on to the next', () => {
    const earlier = marker(1)
    const before = viewAfter(slotsOf(items, 0, 3), planOf([1], earlier), ['a', 'x', 'c'])
    const view = viewAfter([...before, ...slotsOf(items, 3, 4)], planOf([0]), ['x', 'c', 'd'])
    expect(shown(view)).toEqual([
      ['x', 'put in'],
      ['c', 2],
      ['d', 3],
    ])
    expect(view[0]?.insertion).toBe(earlier)
  })

  it('refuses a conversation that the plan did not make', () => {
    expect(() => viewAfter(slotsOf(items, 0, 4), planOf([]), ['a', 'b'])).toThrow(RangeError)
  })
})
