/** What a measurement hands back: tables, plots, and how it stands to what is aimed at. */
import type { Estimate } from './estimate.ts'

/** How a number is written. */
export type CellForm = 'percent' | 'number' | 'scientific'

export type Cell = string | { readonly form: CellForm; readonly value: number | Estimate }

export interface ResultTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** What a reader must know to read it. */
  readonly note?: string
  /** A detail: in the full report, not on the page that shows the current figures. */
  readonly isDetail?: boolean
}

export interface Aim {
  readonly what: string
  readonly aim: string
  readonly measured: Cell
  readonly met: boolean
}

export interface Plot {
  /** Name of the file, without its ending. */
  readonly name: string
  readonly title: string
  readonly svg: string
}

export interface Result {
  readonly name: string
  readonly title: string
  /** What was done, in a paragraph. */
  readonly protocol: string
  readonly tables: readonly ResultTable[]
  readonly aims: readonly Aim[]
  readonly plots: readonly Plot[]
}

export const percent = (value: number | Estimate): Cell => ({ form: 'percent', value })
export const number = (value: number | Estimate): Cell => ({ form: 'number', value })
export const scientific = (value: number): Cell => ({ form: 'scientific', value })

/** An aim on a value that must not be under (or over) a bound. The bound is in the value's own unit. */
export function aim(
  what: string,
  measured: Estimate,
  bound: { readonly least?: number; readonly most?: number },
): Aim {
  const { least, most } = bound
  const limits = [
    ...(least === undefined ? [] : [`at least ${Number((100 * least).toFixed(2))}%`]),
    ...(most === undefined ? [] : [`at most ${Number((100 * most).toFixed(2))}%`]),
  ]
  const met =
    (least === undefined || measured.value >= least) &&
    (most === undefined || measured.value <= most)
  return { what, aim: limits.join(', '), measured: percent(measured), met }
}
