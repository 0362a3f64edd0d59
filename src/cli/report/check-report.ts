import type { Warning } from '../../engine/transcript.ts'
import type { Violation } from '../../formats/adapter.ts'
import { renderFacts } from './facts.ts'
import { formatNumber } from './numbers.ts'
import type { Paint } from './paint.ts'
import { type Column, renderTable } from './table.ts'
import { warningLines } from './warning-lines.ts'

export interface CheckAnswer {
  readonly format: string
  readonly valid: boolean
  readonly violations: readonly Violation[]
  /** Of all, where `violations` lists the first. */
  readonly violationCount: number
  readonly warnings: readonly Warning[]
}

export interface CheckReportOptions {
  readonly width: number
  readonly paint: Paint
  readonly source: string
  /** Line of a transcript that a pointer leads to. */
  readonly lineOf: (pointer: string) => number | undefined
}

const COLUMNS: readonly Column[] = [
  { title: 'pointer', minWidth: 16, wraps: true },
  { title: 'line', align: 'right', dropOrder: 1 },
  { title: 'rule' },
  { title: 'detail', minWidth: 24, wraps: true },
]

export function renderCheckReport(
  { format, valid, violations, violationCount, warnings }: CheckAnswer,
  { width, paint, source, lineOf }: CheckReportOptions,
): readonly string[] {
  const rows = violations.map(({ pointer, rule, detail }) => ({
    cells: [pointer, String(lineOf(pointer) ?? ''), rule, detail],
  }))
  const hidden = violationCount - violations.length
  return [
    ...renderFacts(
      [
        { name: 'input', text: source },
        { name: 'format', text: format },
        {
          name: 'result',
          text: valid ? 'valid' : `${formatNumber(violationCount)} broken`,
          style: valid ? 'green' : 'red',
        },
      ],
      { width, paint },
    ),
    ...(rows.length === 0 ? [] : ['', ...renderTable(COLUMNS, rows, { width, paint })]),
    ...(hidden > 0 ? [paint('dim', `and ${formatNumber(hidden)} more`)] : []),
    ...warningLines(warnings, { width, paint }),
  ]
}
