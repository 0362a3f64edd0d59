import type { MetricObject } from 'prom-client'
import { optionVariables } from '../src/config/option-variables.ts'
import { ConfigSchema, SECRET_VARIABLES } from '../src/config/schema.ts'
import { OptionsSchema } from '../src/contract/options.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'

interface Documented {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Every variable of the service, those of options last. */
export function documentedVariables(): readonly Documented[] {
  const own = Object.entries(ConfigSchema.properties).map(([name, schema]) => ({
    name,
    schema: schema as unknown as Documented['schema'],
  }))
  const options = optionVariables(OptionsSchema).map(({ name, variable }) => ({
    name,
    schema: variable,
  }))
  return [...own, ...options]
}

export function environmentTable(): string {
  return [
    '| variable | value | default | meaning |',
    '|---|---|---|---|',
    ...documentedVariables().map(({ name, schema }) => {
      const cells = [
        `\`${name}\``,
        valuesOf(schema),
        defaultOf(name, schema),
        String(schema.description),
      ]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
  ].join('\n')
}

function valuesOf(schema: Documented['schema']): string {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(valuesOf).join(', or ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if ('const' in schema) return `\`${schema.const}\``
  if ('separator' in schema) return 'comma separated list; a lone comma is the empty one'
  if (schema.type === 'boolean') return '`true`, `false`'
  if (schema.type === 'string') return 'text'
  return `${schema.type} ${boundsOf(schema)}`.trim()
}

function boundsOf({ minimum, maximum }: Documented['schema']): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `from ${minimum}`
  return maximum === undefined ? '' : `up to ${maximum}`
}

function defaultOf(name: string, schema: Documented['schema']): string {
  if (schema.default !== undefined) return `\`${schema.default}\``
  return name.startsWith('PRECIS_OPTION_') ? 'the profile' : 'unset'
}

export function environmentExample(): string {
  const lines = documentedVariables().flatMap(({ name, schema }) => {
    const value = schema.default ?? ''
    const secret = SECRET_VARIABLES.has(name as never) ? ' (secret)' : ''
    return [`# ${schema.description}${secret}`, `#${name}=${value}`, '']
  })
  return [
    '# Written by scripts/write-operations.ts from the schema of the configuration. Do not edit.',
    '# Every variable has a default that works; an empty value counts as unset. Copied to .env and edited, this',
    '# file is read by ./start.sh and by docker compose.',
    '',
    ...lines,
  ].join('\n')
}

interface RegisteredMetric extends MetricObject {
  readonly labelNames?: readonly string[]
}

/** The metrics of the service; those that prom-client collects of any Node.js process are left out. */
export function metricsTable(): string {
  const metrics = createMetrics().registry.getMetricsAsArray() as readonly RegisteredMetric[]
  return [
    '| metric | type | labels | meaning |',
    '|---|---|---|---|',
    ...metrics
      .filter(({ name }) => !/^precis_(process|nodejs)_/.test(name))
      .map(({ name, type, labelNames = [], help }) => {
        const labels = labelNames.map((label) => `\`${label}\``).join(', ')
        return `| \`${name}\` | ${type} | ${labels} | ${help} |`
      }),
  ].join('\n')
}
