/**
 * What the service does while that which it depends on fails.
 *
 *     npm run stress:chaos -- [--short] [--only=<regular expression>]
 *
 * For each cell (a dependency with a fault) a service of its own is started from the compiled sources,
 * asked by 16 callers while all is well, while the fault lasts, and when it is over. `--short` runs one
 * cell of each kind, for seconds. Exits 1 where a promise is broken; the last table says which.
 */
import { fileURLToPath } from 'node:url'
import { buildService, builtModule } from '../bench/lib/built-service.ts'
import { type Cell, isShort, printEnvironment, printTable } from '../bench/lib/report.ts'
import type { CellResult } from './chaos/cell.ts'
import { showCounts } from './chaos/cell.ts'
import { CELLS, LONG_PACE, nameOf, runCell, SHORT_CELLS, SHORT_PACE } from './chaos/cells.ts'

const COLUMNS = [
  'fault',
  'requests before, during, after',
  'as promised',
  'slowest, s',
  'during the fault',
  'breaker',
  'well again after, s',
  'broken promises',
]

const TITLES: Readonly<Record<string, string>> = {
  decide: 'Decide model: answered 200 within the deadline, and what was done without',
  summarizer: 'Summariser: answered 200 within the deadline, and what was done without',
  upstream: "Upstream of the proxy: the provider's own answer, or the documented problem",
}

const [, only] =
  /^--only=(.*)$/.exec(process.argv.find((one) => one.startsWith('--only=')) ?? '') ?? []
const wanted = (isShort && only === undefined ? SHORT_CELLS : CELLS).filter((cell) =>
  new RegExp(only ?? '').test(nameOf(cell)),
)
buildService()
printEnvironment()
const file = fileURLToPath(builtModule('server.ts'))
const results: CellResult[] = []
for (const cell of wanted) {
  const result = await runCell(cell, isShort ? SHORT_PACE : LONG_PACE, file)
  console.error(`${nameOf(cell)}: ${result.violations.length === 0 ? 'kept' : 'BROKEN'}`)
  results.push(result)
}

for (const [dependency, title] of Object.entries(TITLES)) {
  const rows = results.filter((result) => result.dependency === dependency).map(toRow)
  if (rows.length > 0) printTable(title, COLUMNS, rows)
}
const broken = results.filter(({ violations }) => violations.length > 0)
if (broken.length > 0) {
  printTable(
    'Broken promises',
    ['dependency', 'fault', 'what'],
    broken.map(({ dependency, fault, violations }) => [dependency, fault, violations.join('; ')]),
  )
  process.exitCode = 1
}

function toRow(result: CellResult): Cell[] {
  return [
    result.fault,
    result.requests.join(', '),
    `${Number((result.promisedShare * 100).toFixed(2))}%`,
    result.slowestMs / 1_000,
    showCounts(result.seen),
    result.breaker,
    result.recoveredMs / 1_000,
    String(result.violations.length),
  ]
}
