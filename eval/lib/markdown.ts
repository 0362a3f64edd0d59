import type { Cell, Result, ResultTable } from './result.ts'

export interface ReportForm {
  /** Depth of the headings of sections. */
  readonly level: number
  /** Folder of the plots as the reader of the page sees it, with the slash; empty for its own. */
  readonly plotFolder: string
  readonly withDetails: boolean
}

/** All results, for people: how they stand to the aims, then each with its tables and plots. */
export function toMarkdown(
  header: readonly string[],
  results: readonly Result[],
  form: ReportForm,
): string {
  const aims = results.flatMap((result) => result.aims)
  const heading = '#'.repeat(form.level)
  return [
    ...header,
    ...(aims.length === 0 ? [] : [`${heading} Against the aims`, aimsTable(aims)]),
    ...results.flatMap((result) => sectionOf(result, heading, form)),
  ].join('\n\n')
}

function sectionOf(
  { title, protocol, tables, plots }: Result,
  heading: string,
  form: ReportForm,
): string[] {
  return [
    `${heading} ${title}`,
    protocol,
    ...tables.filter(({ isDetail }) => form.withDetails || isDetail !== true).flatMap(tableOf),
    ...plots.map((plot) => `![${plot.title}](${form.plotFolder}${plot.name}.svg)`),
  ]
}

function aimsTable(aims: Result['aims']): string {
  return grid(
    ['what', 'aim', 'measured', ''],
    aims.map(({ what, aim, measured, met }) => [
      what,
      aim,
      formatCell(measured),
      met ? 'met' : '**missed**',
    ]),
  )
}

function tableOf({ title, columns, rows, note }: ResultTable): string[] {
  const table = grid(
    columns,
    rows.map((row) => row.map(formatCell)),
  )
  return [`**${title}**`, table, ...(note === undefined ? [] : [note])]
}

function grid(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A number with its interval in brackets where it has one; "none" where there is nothing to show. */
export function formatCell(cell: Cell): string {
  if (typeof cell === 'string') return cell
  const { form, value } = cell
  const middle = typeof value === 'number' ? value : value.value
  if (Number.isNaN(middle)) return 'none'
  const shown = `${formatNumber(form, middle)}${form === 'percent' ? '%' : ''}`
  if (typeof value === 'number') return shown
  return `${shown} (${formatNumber(form, value.low)} to ${formatNumber(form, value.high)})`
}

function formatNumber(form: Exclude<Cell, string>['form'], value: number): string {
  switch (form) {
    case 'percent':
      // A small share is not none.
      return value > 0 && value < 0.0005
        ? String(Number((100 * value).toPrecision(1)))
        : (100 * value).toFixed(1)
    case 'scientific':
      return value === 0 ? '0' : value.toExponential(1)
    case 'number':
      return Number.isInteger(value) ? String(value) : value.toFixed(3)
  }
}
