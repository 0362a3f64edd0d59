import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ALERTS_FILE = 'deploy/prometheus/alerts.yml'
export const RECORDING_FILE = 'deploy/prometheus/recording.yml'
export const DASHBOARD_FILE = 'deploy/grafana/dashboards/precis.json'

export function pathInRepository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

export function readDeployFile(path: string): Promise<string> {
  return readFile(pathInRepository(path), 'utf8')
}

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

export interface RecordingRule {
  readonly record: string
  readonly expr: string
}

interface RuleFile<Rule> {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}

async function readRules<Rule>(path: string): Promise<readonly Rule[]> {
  const { groups } = parse(await readDeployFile(path)) as RuleFile<Rule>
  return groups.flatMap(({ rules }) => rules)
}

export const readAlerts = () => readRules<AlertRule>(ALERTS_FILE)
export const readRecordingRules = () => readRules<RecordingRule>(RECORDING_FILE)

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
  readonly options?: unknown
  readonly fieldConfig?: { readonly defaults: { readonly custom?: unknown } }
}

export interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] }
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

export async function readDashboard(): Promise<Dashboard> {
  return JSON.parse(await readDeployFile(DASHBOARD_FILE)) as Dashboard
}

/** Every query of the dashboard, named by its panel. */
export async function readPanelQueries(): Promise<readonly { name: string; expr: string }[]> {
  const { panels } = await readDashboard()
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ refId, expr }) => ({ name: `${title} ${refId}`, expr })),
  )
}
