/**
 * Every measurement of what Precis keeps and loses, for every decide model and policy.
 *
 *   npm run eval -- --data DIR                  all of it
 *   npm run eval -- --data DIR --short          samples: under two minutes
 *   npm run eval -- --data DIR --only locomo    some, comma separated
 *   npm run eval -- --data DIR --page           all, and their figures into docs/quality.md
 *
 * Writes results.md, results.json and the plots to eval/results (--out for another folder), after each
 * measurement, so that a run that is stopped leaves what it has. PRECIS_DECIDE_* adds a remote model.
 */
import { parseArgs } from 'node:util'
import { dataFolder } from './lib/data-folder.ts'
import { listDeciders } from './lib/deciders.ts'
import type { Result } from './lib/result.ts'
import { writeQualityPage, writeResults } from './lib/write-results.ts'
import { MEASUREMENTS } from './measurements/index.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    page: { type: 'boolean', default: false },
    out: { type: 'string', default: new URL('results', import.meta.url).pathname },
  },
})
const data = dataFolder(values.data)
if (data === undefined) {
  console.error('Name the folder of real conversations: --data DIR, or PRECIS_DATA.')
  process.exit(2)
}
if (values.page && (values.short || values.only !== undefined)) {
  console.error('--page shows a whole run: it goes with neither --short nor --only.')
  process.exit(2)
}
const only = values.only?.split(',')
const unknown = only?.filter((name) => MEASUREMENTS.every((one) => one.name !== name)) ?? []
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are: ${MEASUREMENTS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

const deciders = listDeciders(process.env)
const results: Result[] = []
for (const { name, measure } of MEASUREMENTS) {
  if (only !== undefined && !only.includes(name)) continue
  const startedAt = performance.now()
  try {
    results.push(await measure({ data, short: values.short, deciders }))
  } catch (error) {
    // The other measurements are worth having all the same; the exit code says that one is missing.
    console.error(`${name} failed:`, error)
    process.exitCode = 1
    continue
  }
  console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  writeResults(values.out, { short: values.short, deciders, results })
}
if (values.page && process.exitCode === undefined) {
  const page = new URL('../docs/quality.md', import.meta.url).pathname
  writeQualityPage(page, { short: values.short, deciders, results })
}
console.log(`Written to ${values.out}.`)
// A measurement that failed may have left its service listening.
process.exit()
