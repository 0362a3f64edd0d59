import { cpus, loadavg } from 'node:os'

/** Tables in Markdown, numbers with three digits that count. */
export type Cell = string | number

export function printTable(title: string, columns: readonly string[], rows: readonly Cell[][]) {
  console.log(`\n### ${title}\n`)
  console.log(`| ${columns.join(' | ')} |`)
  console.log(`|${columns.map(() => '---').join('|')}|`)
  for (const row of rows) console.log(`| ${row.map(show).join(' | ')} |`)
}

/** Says what the figures of this run belong to. */
export function printEnvironment(): void {
  const load = loadavg().map((value) => value.toFixed(1))
  console.log(
    `Node.js ${process.version}, ${cpus().length} cores, load ${load.join(' ')}, ${new Date().toISOString().slice(0, 10)}`,
  )
}

export const isShort = process.argv.includes('--short')
export const isLong = process.argv.includes('--long')

const wanted = process.argv.flatMap((argument) => /^--size=(.+)$/.exec(argument)?.[1] ?? [])

/** Whether a size is to be measured: all are, unless `--size` names some. */
export function isWanted(size: number): boolean {
  return wanted.length === 0 || wanted.includes(String(size))
}

function show(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (!Number.isFinite(cell)) return '-'
  const size = Math.abs(cell)
  if (size >= 100) return cell.toFixed(0)
  return cell.toFixed(size >= 10 ? 1 : 2)
}
