import type { ReportedAction } from './compact-answer.ts'
import type { MessageLabel } from './message-label.ts'
import { formatCount, formatNumber } from './numbers.ts'
import type { Column, Row } from './table.ts'

/** A message of the input as the table names it. */
export interface DescribedMessage extends MessageLabel {
  /** Of a transcript, from 1. */
  readonly line?: number
}

export type DescribeMessage = (index: number) => DescribedMessage

export const ACTION_COLUMNS: readonly Column[] = [
  { title: 'message', align: 'right' },
  { title: 'line', align: 'right', dropOrder: 3 },
  { title: 'role', dropOrder: 2 },
  { title: 'holds', minWidth: 12, dropOrder: 5 },
  { title: 'what' },
  { title: 'stage', dropOrder: 1 },
  { title: 'why', minWidth: 16, wraps: true },
  { title: 'P(needed)', align: 'right', dropOrder: 4 },
  { title: 'before', align: 'right' },
  { title: 'after', align: 'right' },
]

/** So many neighbours with the same fate become one row. */
const MIN_GROUP = 3

/** Rows that a reader takes in; the rest is counted. */
const MAX_ROWS = 40

export interface ListedActions {
  readonly rows: readonly Row[]
  /** Messages that no row shows. */
  readonly hidden: number
}

/** Neighbours with the same fate in one row each, and no more rows than can be read; or all, one by one. */
export function listActions(
  actions: readonly ReportedAction[],
  describe: DescribeMessage,
  listsAll: boolean,
): ListedActions {
  const runs = listsAll ? actions.map((action) => [action]) : groupNeighbours(actions)
  const shown = listsAll ? runs : runs.slice(0, MAX_ROWS)
  return {
    rows: shown.map((run) => toRow(run, describe)),
    hidden: runs.slice(shown.length).reduce((sum, { length }) => sum + length, 0),
  }
}

function groupNeighbours(
  actions: readonly ReportedAction[],
): readonly (readonly ReportedAction[])[] {
  const runs: ReportedAction[][] = []
  for (const action of actions) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && belongsTogether(last, action)) run.push(action)
    else runs.push([action])
  }
  return runs.flatMap((run) => (run.length < MIN_GROUP ? run.map((action) => [action]) : [run]))
}

/** Drops side by side read as one, whatever chose each: stages and reasons are counted in the row. */
function belongsTogether(a: ReportedAction, b: ReportedAction): boolean {
  if (a.action !== b.action || a.action === 'inserted' || b.index !== a.index + 1) return false
  return a.action === 'dropped' || (a.stage === b.stage && a.reason === b.reason)
}

function toRow(run: readonly ReportedAction[], describe: DescribeMessage): Row {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return { cells: [] }
  const sum = (member: 'tokensBefore' | 'tokensAfter') =>
    formatNumber(run.reduce((total, action) => total + action[member], 0))
  const labels = run.map(({ index }) => describe(index))
  const isInserted = first.action === 'inserted'
  return {
    cells: [
      isInserted ? `before ${first.index}` : range(first.index, last.index),
      isInserted ? '' : range(labels[0]?.line, labels.at(-1)?.line),
      isInserted ? '' : roleOf(labels),
      isInserted ? '' : holdsOf(labels),
      first.action,
      stageOf(run),
      reasonsOf(run),
      probabilityOf(run),
      isInserted ? '' : sum('tokensBefore'),
      first.action === 'dropped' ? '' : sum('tokensAfter'),
    ],
    ...(first.action === 'kept' && { style: 'dim' }),
  }
}

function range(first: number | undefined, last: number | undefined): string {
  if (first === undefined || last === undefined) return ''
  return first === last ? String(first) : `${Math.min(first, last)}-${Math.max(first, last)}`
}

function roleOf(labels: readonly MessageLabel[]): string {
  const [role, ...others] = new Set(labels.map((label) => label.role))
  return others.length > 0 ? 'mixed' : (role ?? '')
}

function holdsOf(labels: readonly MessageLabel[]): string {
  return labels.length > 1 ? formatCount(labels.length, 'message') : (labels[0]?.holds ?? '')
}

function stageOf(run: readonly ReportedAction[]): string {
  const [stage, ...others] = new Set(run.map((action) => action.stage))
  return others.length > 0 ? 'several' : (stage ?? '')
}

/** The one reason, or each with its number, the most frequent first. */
function reasonsOf(run: readonly ReportedAction[]): string {
  const counts = new Map<string, number>()
  for (const { reason } of run) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const byCount = [...counts].sort(([, a], [, b]) => b - a)
  if (byCount.length === 1) return byCount[0]?.[0] ?? ''
  return byCount.map(([reason, count]) => `${reason} ${formatNumber(count)}`).join(', ')
}

function probabilityOf(run: readonly ReportedAction[]): string {
  const known = run.flatMap(({ probability }) => (probability === undefined ? [] : [probability]))
  if (known.length === 0) return ''
  const least = Math.min(...known).toFixed(3)
  const most = Math.max(...known).toFixed(3)
  return least === most ? least : `${least}-${most}`
}
