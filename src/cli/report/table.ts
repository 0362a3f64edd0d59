import { type Paint, PLAIN, type Style } from './paint.ts'
import { cutText, padText, printable, textWidth, wrapText } from './text-width.ts'

export interface Column {
  readonly title: string
  /** Numbers end at the same column. Default left. */
  readonly align?: 'left' | 'right'
  /** May be made as narrow as this where there is no room. Unset: never narrower than its texts. */
  readonly minWidth?: number
  /** What does not fit goes on in a line below; else it is cut. */
  readonly wraps?: boolean
  /** Left out where there is no room: the highest first. Never, if unset. */
  readonly dropOrder?: number
}

export interface Row {
  readonly cells: readonly string[]
  readonly style?: Style
}

export interface TableOptions {
  /** Most columns of the terminal that a line takes. */
  readonly width: number
  readonly paint?: Paint
}

const GAP = '  '

/** Lines of a table that is never wider than asked for. A column in which nothing stands is left out. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  { width, paint = PLAIN }: TableOptions,
): readonly string[] {
  const clean = rows.map(({ cells, style }) => ({ cells: cells.map(printable), style }))
  let shown = columns.map((column, index) => ({ column, index }))
  shown = shown.filter(({ index }) => clean.some(({ cells }) => (cells[index] ?? '') !== ''))
  const natural = (index: number) =>
    clean.reduce(
      (widest, { cells }) => Math.max(widest, textWidth(cells[index] ?? '')),
      textWidth(columns[index]?.title ?? ''),
    )
  const widths = new Map(shown.map(({ index }) => [index, natural(index)]))
  const total = () =>
    shown.reduce((sum, { index }) => sum + (widths.get(index) ?? 0), 0) +
    GAP.length * Math.max(0, shown.length - 1)
  for (;;) {
    shrink(shown, widths, total() - width)
    if (total() <= width) break
    const least = leastNeeded(shown.map(({ column }) => column))
    if (least === undefined) break
    shown = shown.filter(({ column }) => column !== least)
    for (const { index } of shown) widths.set(index, natural(index))
  }
  const line = (cells: readonly string[]): readonly string[] =>
    layOut(
      shown.map(({ column, index }) => ({
        column,
        text: cells[index] ?? '',
        width: widths.get(index) ?? 0,
      })),
    ).map((text) => cutText(text, width))
  return [
    ...line(columns.map(({ title }) => title)).map((text) => paint('bold', text)),
    paint(
      'dim',
      cutText(shown.map(({ index }) => '─'.repeat(widths.get(index) ?? 0)).join(GAP), width),
    ),
    ...clean.flatMap(({ cells, style }) =>
      line(cells).map((text) => (style === undefined ? text : paint(style, text))),
    ),
  ]
}

interface ShownColumn {
  readonly column: Column
  readonly index: number
}

/** Takes what is too much from the columns that may be narrower: those that wrap first, from the right. */
function shrink(shown: readonly ShownColumn[], widths: Map<number, number>, excess: number): void {
  let left = excess
  const wrapping = shown.filter(({ column }) => column.wraps === true)
  const others = shown.filter(({ column }) => column.wraps !== true)
  for (const { column, index } of [...wrapping.reverse(), ...others.reverse()]) {
    if (left <= 0) return
    const width = widths.get(index) ?? 0
    const taken = Math.min(left, Math.max(0, width - (column.minWidth ?? width)))
    widths.set(index, width - taken)
    left -= taken
  }
}

function leastNeeded(columns: readonly Column[]): Column | undefined {
  return columns
    .filter(({ dropOrder }) => dropOrder !== undefined)
    .sort((a, b) => (b.dropOrder ?? 0) - (a.dropOrder ?? 0))[0]
}

function layOut(
  cells: readonly { readonly column: Column; readonly text: string; readonly width: number }[],
): readonly string[] {
  const pieces = cells.map(({ column, text, width }) =>
    column.wraps === true ? wrapText(text, Math.max(1, width)) : [cutText(text, width)],
  )
  const height = Math.max(1, ...pieces.map(({ length }) => length))
  return Array.from({ length: height }, (_, row) =>
    cells
      .map(({ column, width }, position) =>
        padText(pieces[position]?.[row] ?? '', width, column.align ?? 'left'),
      )
      .join(GAP)
      .trimEnd(),
  )
}
