/** The dashboard as Grafana's own types and the service's own metrics know it. */
import { describe, expect, test } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { compileLiterals } from './support/compile-literals.ts'
import {
  type Dashboard,
  type Panel,
  readAlerts,
  readDashboard,
  readPanelQueries,
  readRecordingRules,
} from './support/deploy-files.ts'

const WIDTH = 24

/** Where @grafana/schema keeps the options of a type of panel. */
const OPTION_TYPES = {
  heatmap: 'heatmap',
  stat: 'stat',
  'state-timeline': 'statetimeline',
  timeseries: 'timeseries',
} as const

/** JSON has no enumerations: their members stand as the text or the number that they are. */
const PLAIN = `
type Plain<T> = 0 extends 1 & T ? T
  : T extends string ? (string extends T ? T : \`\${T}\`)
  : T extends number ? (number extends T ? T : \`\${T}\` extends \`\${infer N extends number}\` ? N : T)
  : T extends readonly (infer I)[] ? Plain<I>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T
`

/** What the data source of Prometheus adds to an annotation; the model is silent about data sources. */
const PROMETHEUS_MEMBERS = new Set(['expr', 'step', 'titleFormat', 'textFormat'])

function modelOf(dashboard: Dashboard): object {
  const list = dashboard.annotations.list.map((annotation) =>
    Object.fromEntries(
      Object.entries(annotation).filter(([name]) => !PROMETHEUS_MEMBERS.has(name)),
    ),
  )
  return { ...dashboard, annotations: { list } }
}

function typedSource(panels: readonly Panel[], dashboard: object): string {
  const raw = '../../@grafana/schema/dist/types/raw'
  const literals = panels.flatMap(({ id, type, options, fieldConfig }) => {
    if (!(type in OPTION_TYPES)) return []
    const module = OPTION_TYPES[type as keyof typeof OPTION_TYPES]
    const path = `${raw}/composable/${module}/panelcfg/x/types.gen`
    const custom = fieldConfig?.defaults.custom
    return [
      `const options${id} = ${JSON.stringify(options)} satisfies Plain<import('${path}').Options>`,
      ...(custom === undefined
        ? []
        : [
            `const custom${id} = ${JSON.stringify(custom)} satisfies Plain<Partial<import('${path}').FieldConfig>>`,
          ]),
    ]
  })
  return [
    `const dashboard = ${JSON.stringify(dashboard)} satisfies Plain<import('${raw}/dashboard/x/types.gen').Dashboard>`,
    ...literals,
    PLAIN,
  ].join('\n')
}

describe('the dashboard', () => {
  test("is one by Grafana's types, each panel with the options of its kind", async () => {
    const dashboard = await readDashboard()
    const kinds = new Set(dashboard.panels.map(({ type }) => type))
    expect([...kinds].sort()).toEqual(['row', ...Object.keys(OPTION_TYPES)].sort())
    expect(await compileLiterals(typedSource(dashboard.panels, modelOf(dashboard)))).toBe('')
  })

  test('is refused by the same types where a panel is none', async () => {
    const dashboard = await readDashboard()
    const panels = dashboard.panels.map((panel) => ({
      ...panel,
      gridPos: { ...panel.gridPos, w: '8' },
    }))
    expect(await compileLiterals(typedSource([], { ...modelOf(dashboard), panels }))).toContain(
      "Type 'string' is not assignable to type 'number'",
    )
  })

  test('has a title, a description and a place of its own for every panel', async () => {
    const { panels } = await readDashboard()
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { title, type, description, gridPos } of panels) {
      expect(title).not.toBe('')
      if (type !== 'row') expect(description, title).toMatch(/\.$/)
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(WIDTH)
      for (const cell of cellsOf(gridPos)) {
        expect(taken, title).not.toContain(cell)
        taken.add(cell)
      }
    }
  })

  test('asks, like the rules, only for metrics and records that exist', async () => {
    const metrics = createMetrics().registry.getMetricsAsArray()
    const names = new Set(metrics.map(({ name }) => name))
    const histograms = metrics.filter(({ type }) => String(type) === 'histogram')
    for (const { name } of histograms) {
      for (const suffix of ['_bucket', '_sum', '_count']) names.add(`${name}${suffix}`)
    }
    const records = await readRecordingRules()
    for (const { record } of records) names.add(record)
    const queries = [...(await readPanelQueries()), ...(await readAlerts()), ...records]
    const asked = queries.flatMap(({ expr }) => expr.match(/\bprecis[_:][\w:]+/g) ?? [])
    expect(asked.length).toBeGreaterThan(100)
    for (const name of asked) expect(names).toContain(name)
  })

  test('shows every metric of the service, in a panel or an alert', async () => {
    const queries = [
      ...(await readPanelQueries()),
      ...(await readAlerts()),
      ...(await readRecordingRules()),
    ]
    const text = queries.map(({ expr }) => expr).join('\n')
    const own = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => !/^precis_(process|nodejs)_/.test(name))
    expect(own.filter((name) => !text.includes(name))).toEqual([])
  })
})

function cellsOf({ x, y, w, h }: Panel['gridPos']): readonly string[] {
  return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
}
