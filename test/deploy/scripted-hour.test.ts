/** Every query of the dashboard, the rules and the runbooks, against a real Prometheus. */
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPrometheus, type Series } from '../helpers/prometheus.ts'
import { compressDurations } from './support/compress-durations.ts'
import {
  readAlerts,
  readDashboard,
  readPanelQueries,
  readRecordingRules,
} from './support/deploy-files.ts'
import {
  EXPECTED_ALERTS,
  HOUR_SECONDS,
  playHour,
  type ScriptedHour,
} from './support/scripted-hour.ts'

const isThere = hasPrometheus()
if (!isThere) console.warn('SKIPPED: no prometheus to run. Debian: apt-get install prometheus')
// In CI a missing Prometheus is a failure: there it must not be skipped in silence.
const enabled = isThere || Boolean(process.env.CI)

/** What Grafana puts in for its variables, before the hour is compressed. */
const VARIABLES = {
  $__rate_interval: '4m',
  $__range: '1h',
  $job: 'precis',
  $instance: '.+',
  $question: 'relevance|preserves|is-refusal',
} as const

/** Set to a path, it gets a table of all queries with what they returned. */
const TABLE = process.env.PRECIS_QUERY_TABLE
const rows: string[] = []

/** All queries at every second of the hour, on a busy machine. */
const QUERIES_MS = 120_000

/**
 * The others share the process of this test. On a machine that is busy with other things their scrapes
 * run into the time-out, which is then as long as a second, and rightly count as down.
 */
const OWN_PROCESS: ReadonlySet<string> = new Set(['well', 'gone'])

let hour: ScriptedHour
beforeAll(async () => {
  if (enabled) hour = await playHour()
}, 240_000)
afterAll(async () => {
  if (TABLE !== undefined) await writeFile(TABLE, `${rows.join('\n')}\n`)
  await hour?.close()
}, 60_000)

function toPromql(expr: string): string {
  const filled = Object.entries(VARIABLES).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    expr,
  )
  return compressDurations(filled)
}

/** The largest number that each series of a query had at any time of the hour. */
function seriesWithin(expr: string): Promise<readonly Series[]> {
  return hour.prometheus.query(`max_over_time(((${expr}) > -Inf)[${HOUR_SECONDS}s:2s])`)
}

async function expectData(name: string, expr: string): Promise<void> {
  const found = await seriesWithin(expr)
  const largest = Math.max(...found.map(({ value }) => value))
  rows.push(`| ${name} | ${found.length} | ${Number(largest.toPrecision(4))} |`)
  expect(found.length, `${name}: ${expr}`).toBeGreaterThan(0)
}

describe.runIf(enabled)('a compressed hour of Prometheus', () => {
  test('has scraped every deployment but the one that is gone', async () => {
    const namespaces = Object.keys(EXPECTED_ALERTS)
    expect(
      await hour.prometheus.queryBy('namespace', `max_over_time(up[${HOUR_SECONDS}s])`),
    ).toEqual(Object.fromEntries(namespaces.map((name) => [name, name === 'gone' ? 0 : 1])))
  })

  test(
    'has data for every query of the dashboard',
    async () => {
      const queries = await readPanelQueries()
      expect(queries.length).toBeGreaterThan(50)
      for (const { name, expr } of queries) await expectData(name, toPromql(expr))
      for (const { expr } of (await readDashboard()).annotations.list) {
        if (expr !== undefined) await expectData('annotation', expr)
      }
    },
    QUERIES_MS,
  )

  test(
    'has data for every recording rule',
    async () => {
      for (const { record } of await readRecordingRules()) await expectData(record, record)
    },
    QUERIES_MS,
  )

  test(
    'understands the query of every alert',
    async () => {
      for (const { alert, expr } of await readAlerts()) {
        const found = await seriesWithin(toPromql(expr))
        rows.push(`| alert ${alert} | ${found.length} | |`)
      }
    },
    QUERIES_MS,
  )

  test('fires for each fault the alerts that are for it, and nothing else', async () => {
    const fired = await hour.prometheus.query(
      `group by (namespace, alertname) (max_over_time(ALERTS{alertstate="firing"}[${HOUR_SECONDS}s]))`,
    )
    const byNamespace = Object.fromEntries(
      Object.keys(EXPECTED_ALERTS).map((namespace) => [
        namespace,
        fired
          .filter(({ metric }) => metric.namespace === namespace)
          .map(({ metric }) => metric.alertname ?? '')
          .filter((alert) => alert !== 'PrecisDown' || OWN_PROCESS.has(namespace))
          .sort(),
      ]),
    )
    expect(byNamespace).toEqual(EXPECTED_ALERTS)
    expect(fired.filter(({ metric }) => metric.namespace === undefined)).toEqual([])
  })
})
