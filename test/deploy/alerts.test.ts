/** Prometheus's own tool on the shipped rules: each alert fires on its fault, and on nothing else. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import {
  type AlertScenario,
  absentScenario,
  FAULT_SCENARIOS,
  SILENT_SCENARIOS,
} from './support/alert-scenarios.ts'
import {
  ALERTS_FILE,
  pathInRepository,
  RECORDING_FILE,
  readAlerts,
  readDeployFile,
} from './support/deploy-files.ts'
import { HEALTHY, SAMPLE_SECONDS } from './support/healthy-series.ts'
import { hasPromtool, runPromtool } from './support/promtool.ts'

const isThere = hasPromtool()
if (!isThere) console.warn('SKIPPED: no promtool to run. Debian: apt-get install prometheus')
// In CI a missing tool is a failure: there it must not be skipped in silence.
const enabled = isThere || Boolean(process.env.CI)

const RULE_FILES = [pathInRepository(RECORDING_FILE), pathInRepository(ALERTS_FILE)]
const SEVERITIES = ['critical', 'warning']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-alerts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs 80 minutes of a scenario; promtool compares all alerts that fired at any time with the expected. */
async function playScenario({ series, fires }: AlertScenario) {
  const shown = Object.entries({ ...HEALTHY, ...series }).filter(([, values]) => values !== null)
  const file = join(folder, 'scenario.yml')
  await writeFile(
    file,
    stringify({
      rule_files: RULE_FILES,
      evaluation_interval: '1m',
      tests: [
        {
          interval: `${SAMPLE_SECONDS}s`,
          input_series: shown.map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [
            {
              expr: 'group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[90m]))',
              eval_time: '80m',
              exp_samples: fires.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
            },
          ],
        },
      ],
    }),
  )
  return runPromtool('test', 'rules', file)
}

describe.runIf(enabled)('the rules for Prometheus', () => {
  test.each(RULE_FILES)('are accepted by promtool: %s', (file) => {
    const { status, output } = runPromtool('check', 'rules', file)
    expect(output).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test.each(SILENT_SCENARIOS)('wake nobody when $when', async (scenario) => {
    const { status, output } = await playScenario(scenario)
    expect(output).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test.each([...FAULT_SCENARIOS, absentScenario(HEALTHY)])(
    'fire $fires and nothing else when $when',
    async (scenario) => {
      const { status, output } = await playScenario(scenario)
      expect(output).toContain('SUCCESS')
      expect(status).toBe(0)
    },
  )

  test('have a scenario for every alert', async () => {
    const fired = new Set(
      [...FAULT_SCENARIOS, absentScenario(HEALTHY)].flatMap(({ fires }) => fires),
    )
    expect([...fired].sort()).toEqual((await readAlerts()).map(({ alert }) => alert).sort())
  })
})

describe('every alert', () => {
  test('has a severity, a summary and a section in the runbooks', async () => {
    const runbooks = await readDeployFile('docs/operations.md')
    const sections = new Set(
      [...runbooks.matchAll(/^#{2,4} (.+)$/gm)].map(([, title = '']) => toAnchor(title)),
    )
    for (const { alert, labels, annotations } of await readAlerts()) {
      expect(SEVERITIES, alert).toContain(labels.severity)
      expect(annotations.summary, alert).toMatch(/^.{20,}\.$/)
      const [file, anchor = ''] = annotations.runbook_url.split('#')
      expect(file, alert).toBe('docs/operations.md')
      expect(anchor, alert).toBe(alert.toLowerCase())
      expect(sections, alert).toContain(anchor)
    }
  })
})

/** The anchor that GitHub gives a heading. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
