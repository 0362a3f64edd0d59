import type { CellResult, Pace } from './cell.ts'
import { MODEL_CELLS, type ModelCell } from './model-cells.ts'
import { runModelCell } from './run-model-cell.ts'
import { runUpstreamCell } from './run-upstream-cell.ts'
import { UPSTREAM_CELLS, type UpstreamCell } from './upstream-cells.ts'

export type Cell = ModelCell | UpstreamCell

export const CELLS: readonly Cell[] = [...MODEL_CELLS, ...UPSTREAM_CELLS]

/** One of each kind: failing at once, silently, in TLS, in DNS, in what is said. */
const SHORT: ReadonlySet<string> = new Set([
  'decide down: connection refused',
  'decide wrong answers: probability 1.5',
  'summarizer hangs',
  'summarizer TLS: certificate expired',
  'upstream reset in the middle',
  'upstream 429 storm',
  'upstream DNS: unknown name',
])

export const SHORT_CELLS: readonly Cell[] = CELLS.filter((cell) => SHORT.has(nameOf(cell)))

/** Five cells at once, on a machine that does other things: whether a probe is answered, not how soon. */
export const SHORT_PACE: Pace = {
  callers: 8,
  healthySeconds: 1,
  faultSeconds: 3,
  probeMs: 30_000,
}
export const LONG_PACE: Pace = {
  callers: 16,
  healthySeconds: 3,
  faultSeconds: 10,
  probeMs: 5_000,
}

export function nameOf({ dependency, name }: Cell): string {
  return `${dependency} ${name}`
}

/** `file`: the compiled server; without it the sources are run. */
export function runCell(cell: Cell, pace: Pace, file?: string): Promise<CellResult> {
  return cell.dependency === 'upstream'
    ? runUpstreamCell(cell, pace, file)
    : runModelCell(cell, pace, file)
}
