import { describe, expect, test } from 'vitest'
import { listActions } from '../../../src/cli/report/action-rows.ts'
import type { ReportedAction } from '../../../src/cli/report/compact-answer.ts'

const drop = (index: number, more: Partial<ReportedAction> = {}): ReportedAction => ({
  index,
  stage: 'truncate',
  action: 'dropped',
  reason: 'oldest',
  tokensBefore: 10,
  tokensAfter: 0,
  ...more,
})

const describeMessage = (index: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  holds: index === 3 ? 'tool_use Read' : '',
  line: 100 + index,
})

const cellsOf = (actions: readonly ReportedAction[], listsAll = false) =>
  listActions(actions, describeMessage, listsAll).rows.map(({ cells }) => cells)

describe('listActions', () => {
  test('names a message by its number, line, role and tool', () => {
    expect(cellsOf([drop(3, { probability: 0.0312, reason: 'least-needed' })])).toEqual([
      [
        '3',
        '103',
        'assistant',
        'tool_use Read',
        'dropped',
        'truncate',
        'least-needed',
        '0.031',
        '10',
        '',
      ],
    ])
  })

  test('drops side by side are one row that counts stages, reasons and tokens', () => {
    expect(
      cellsOf([
        drop(1),
        drop(2, { stage: 'relevance', reason: 'not-needed', probability: 0.01 }),
        drop(3, { probability: 0.05 }),
        drop(5),
      ]),
    ).toEqual([
      [
        '1-3',
        '101-103',
        'mixed',
        '3 messages',
        'dropped',
        'several',
        'oldest 2, not-needed 1',
        '0.010-0.050',
        '30',
        '',
      ],
      ['5', '105', 'assistant', '', 'dropped', 'truncate', 'oldest', '', '10', ''],
    ])
  })

  test('rewrites are one row only where they have one reason', () => {
    const rewrite = (index: number, reason: string) =>
      drop(index, { action: 'rewritten', reason, tokensAfter: 4 })
    expect(
      cellsOf([rewrite(1, 'a'), rewrite(2, 'a'), rewrite(3, 'a'), rewrite(4, 'b')]).map(
        ([number, , , , , , why, , before, after]) => [number, why, before, after],
      ),
    ).toEqual([
      ['1-3', 'a', '30', '12'],
      ['4', 'b', '10', '4'],
    ])
  })

  test('an insertion says before which message it stands', () => {
    const marker = drop(2, { action: 'inserted', reason: 'marker', tokensAfter: 19 })
    expect(cellsOf([marker])).toEqual([
      ['before 2', '', '', '', 'inserted', 'truncate', 'marker', '', '', '19'],
    ])
  })

  test('two neighbours are two rows', () => {
    expect(cellsOf([drop(1), drop(2)])).toHaveLength(2)
  })

  test('rows beyond forty are counted in messages, unless all are asked for', () => {
    const apart = Array.from({ length: 45 }, (_, index) => drop(index * 2))
    const listed = listActions(apart, describeMessage, false)
    expect([listed.rows.length, listed.hidden]).toEqual([40, 5])
    const all = listActions(
      Array.from({ length: 60 }, (_, index) => drop(index)),
      describeMessage,
      true,
    )
    expect([all.rows.length, all.hidden]).toEqual([60, 0])
  })
})
