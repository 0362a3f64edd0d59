import type { BudgetResult } from '../../conversation/budget-conversation.ts'
import type { Sourced } from '../../engine/budget.ts'
import { renderFacts } from './facts.ts'
import { formatNumber, formatPercent } from './numbers.ts'
import type { Paint } from './paint.ts'
import { type Column, type Row, renderTable } from './table.ts'
import { warningLines } from './warning-lines.ts'

export interface BudgetReportOptions {
  readonly width: number
  readonly paint: Paint
  readonly source: string
}

const COLUMNS: readonly Column[] = [
  { title: '' },
  { title: 'tokens', align: 'right' },
  { title: 'from', dropOrder: 2 },
  { title: 'how', minWidth: 20, wraps: true, dropOrder: 1 },
]

export function renderBudgetReport(
  budget: BudgetResult,
  { width, paint, source }: BudgetReportOptions,
): readonly string[] {
  const { history, target, shouldCompact } = budget
  const use = `${formatPercent(budget.usageRatio, 1)} of what is available`
  const { encoding, estimated, factor } = budget.tokenizer
  const times = factor === 1 ? '' : ` × ${factor}`
  return [
    ...renderFacts(
      [
        { name: 'input', text: source },
        {
          name: 'format',
          text: `${budget.format ?? 'no conversation'}, tokens ${estimated ? 'estimated' : 'counted'} (${encoding}${times})`,
        },
        {
          name: 'result',
          text: shouldCompact
            ? `compaction is due: the history has ${formatNumber(history.value)} tokens, its target is ${formatNumber(target.value)}; ${use}`
            : `nothing to do: the history's ${formatNumber(history.value)} tokens are within the target of ${formatNumber(target.value)}; ${use}`,
          style: shouldCompact ? 'yellow' : 'green',
        },
      ],
      { width, paint },
    ),
    '',
    ...renderTable(COLUMNS, rowsOf(budget), { width, paint }),
    ...warningLines(budget.warnings, { width, paint }),
  ]
}

function rowsOf(budget: BudgetResult): readonly Row[] {
  const { overhead } = budget
  return [
    row('context window', budget.contextWindow),
    row('output reserve', budget.outputReserve),
    row('available', budget.available, 'context window - output reserve'),
    row('instructions', overhead.instructions),
    row('current request', overhead.currentRequest),
    row('tools', overhead.tools),
    row('files', overhead.files),
    row('overhead', overhead.total, 'the four above'),
    row('history', budget.history, 'all other messages'),
    share('threshold', budget.compactionThreshold),
    share('safety factor', budget.safetyFactor),
    row(
      'history budget',
      budget.historyBudget,
      '(available - overhead) × safety factor × threshold / 0.8',
    ),
    row('trigger', budget.trigger, 'available × threshold'),
    row('target', budget.target, 'the lesser of history budget and trigger - overhead'),
  ]
}

function row(name: string, { value, source }: Sourced, how = ''): Row {
  return { cells: [name, formatNumber(value), source, how] }
}

function share(name: string, { value, source }: Sourced): Row {
  return { cells: [name, String(value), source, 'a share, not tokens'] }
}
