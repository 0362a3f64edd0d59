import { describe, expect, it } from 'vitest'
import { traceChanges } from '../../../../src/conversation/steps/trace-changes.ts'
import { type Slot, slotsOf, viewAfter } from '../../../../src/conversation/steps/view.ts'
import type { Insertion, Plan } from '../../../../src/engine/edit.ts'
import type { Action } from '../../../../src/engine/report.ts'

const FLOOR = {
  tokens: 1,
  instructions: 0,
  tools: 0,
  framing: 1,
  pins: {},
  protectedTail: 0,
  marker: 0,
}

const marker = (before: number): Insertion => ({
  kind: 'marker',
  before,
  role: 'user',
  text: 'marker',
  covers: 1,
})

const action = (
  index: number,
  what: Action['action'],
  reason: Action['reason'],
  tokensAfter: number,
): Action => ({
  index,
  stage: 'truncate',
  action: what,
  reason,
  tokensBefore: what === 'inserted' ? 0 : 10,
  tokensAfter,
})

function stepOf(
  slots: readonly Slot[],
  plan: Plan,
  items: readonly string[],
  actions: readonly Action[],
) {
  const report = {
    tokensAfter: 1,
    floor: FLOOR,
    stages: [],
    drops: [],
    warnings: [],
    probabilities: [],
    actions,
  }
  return { slots, plan, report, view: viewAfter(slots, plan, items), recalled: false }
}

const items = ['a', 'b', 'c', 'd', 'e']
const [one, two] = [marker(1), marker(1)]
const first = stepOf(
  slotsOf(items, 0, 3),
  { dropped: new Set([1]), replaced: new Map([[2, new Map([[0, 'C']])]]), insertions: [one] },
  ['a', 'x', 'C'],
  [
    action(0, 'kept', 'first-task', 10),
    action(1, 'inserted', 'marker', 4),
    action(1, 'dropped', 'oldest', 0),
    action(2, 'rewritten', 'too-large', 6),
  ],
)
const second = stepOf(
  [...first.view, ...slotsOf(items, 3, 5)],
  { dropped: new Set([1, 2]), replaced: new Map(), insertions: [two] },
  ['a', 'y', 'd', 'e'],
  [
    action(1, 'inserted', 'marker', 5),
    action(1, 'dropped', 'superseded-marker', 0),
    action(2, 'dropped', 'oldest', 0),
  ],
)

describe('traceChanges', () => {
  it('names messages by their posted numbers, not by the places of a step', () => {
    const { posted } = traceChanges([first, second])
    expect([...posted.keys()].sort()).toEqual([1, 2])
  })

  it('tells the last thing that happened to a message', () => {
    expect(traceChanges([first]).posted.get(2)).toMatchObject({
      action: 'rewritten',
      tokensAfter: 6,
    })
    expect(traceChanges([first, second]).posted.get(2)).toMatchObject({
      index: 2,
      action: 'dropped',
      tokensAfter: 0,
    })
  })

  it('keeps what was put in apart, with what a later step has left of it', () => {
    const { inserted } = traceChanges([first, second])
    expect(inserted.get(one)).toMatchObject({ reason: 'marker', tokensAfter: 0 })
    expect(inserted.get(two)).toMatchObject({ reason: 'marker', tokensAfter: 5 })
  })
})
