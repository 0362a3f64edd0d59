/** The embedded model's part of point 5: its benchmark, whose tables are taken over. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measurement } from '../lib/context.ts'
import type { Aim, Result, ResultTable } from '../lib/result.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BENCH = 'bench/embedded-cost.ts'

/** Aims of the issue, as shares of the cold count of the same messages. */
const BOUNDS = [
  { column: 'cold / count', what: 'texts that it has not seen', most: 1.5 },
  { column: 'warm / count', what: 'the same texts for another request', most: 0.5 },
] as const

export const embeddedCost: Measurement = { name: 'embedded-cost', measure }

async function measure(): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', BENCH], {
    cwd: ROOT,
  })
  const tables = readTables(stdout)
  return {
    name: 'embedded-cost',
    title: 'What the embedded model costs',
    protocol:
      'What `bench/embedded-cost.ts` prints: CPU time of the compiled model beside the exact token count of the same messages, medians over rounds that took turns. Times belong to the machine, which other programs kept busy.',
    tables,
    aims: costAims(tables),
    plots: [],
  }
}

/** The Markdown tables of a benchmark's output, each under its heading. */
export function readTables(output: string): ResultTable[] {
  return output
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      const [columns = [], , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf)
      return { title, columns, rows }
    })
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Throws where the benchmark no longer prints what the aims are about. */
export function costAims(tables: readonly ResultTable[]): Aim[] {
  const aims = tables.flatMap(({ title, columns, rows }) =>
    BOUNDS.flatMap(({ column, what, most }) => {
      const place = columns.indexOf(column)
      if (place === -1) return []
      return rows.map((row): Aim => {
        const measured = String(row[place])
        return {
          what: `Embedded model, ${String(row[0])} messages (${title}): ${what}, as a share of the cold token count`,
          aim: `at most ${most}`,
          measured,
          met: Number(measured) <= most,
        }
      })
    }),
  )
  if (aims.length === 0) throw new Error('the benchmark prints no ratios')
  return aims
}
