/** The manifests and the chart, by the schemas that Kubernetes publishes and by helm itself. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import {
  CHART,
  findHelm,
  renderChart,
  renderVariant,
  VARIANTS,
  valuesFile,
} from '../../scripts/kubernetes-manifests.ts'
import { documentedVariables } from '../../scripts/operations-sections.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { compileLiterals } from './support/compile-literals.ts'
import {
  ALERTS_FILE,
  DASHBOARD_FILE,
  pathInRepository,
  RECORDING_FILE,
  readAlerts,
  readDashboard,
  readDeployFile,
  readRecordingRules,
} from './support/deploy-files.ts'
import { typedManifests, validateManifest } from './support/kubernetes-schemas.ts'
import {
  findManifest,
  type Manifest,
  parseManifests,
  podOf,
  precisOf,
  readVariant,
} from './support/manifests.ts'

const helm = findHelm() ?? ''
const isThere = helm !== ''
if (!isThere) console.warn('SKIPPED: no helm to run. node scripts/install-helm.mjs')
// In CI a missing helm is a failure: there it must not be skipped in silence.
const enabled = isThere || Boolean(process.env.CI)

const EVERYTHING = [
  '--set',
  'serviceMonitor.enabled=true,prometheusRule.enabled=true,dashboard.enabled=true',
]

async function expectValid(manifests: readonly Manifest[]): Promise<void> {
  expect(manifests.length).toBeGreaterThan(0)
  for (const manifest of manifests) validateManifest(manifest)
  expect(await compileLiterals(typedManifests(manifests))).toBe('')
}

describe.each(VARIANTS)('the manifests of the variant %s', (variant) => {
  test('are objects that Kubernetes takes', async () => {
    await expectValid(await readVariant(variant))
  })

  test('are refused by the same checks where a member is misspelt or of the wrong kind', async () => {
    const manifests = await readVariant(variant)
    const hpa = findManifest(manifests, 'HorizontalPodAutoscaler')
    const misspelt = { ...hpa, spec: { ...hpa.spec, maxReplica: 3 } }
    expect(await compileLiterals(typedManifests([misspelt]))).toContain('maxReplica')
    const wrong = { ...hpa, spec: { ...hpa.spec, maxReplicas: 'three' } }
    expect(() => validateManifest(wrong as Manifest)).toThrow('maxReplicas')
  })

  test('select the pods that they make', async () => {
    const manifests = await readVariant(variant)
    const { labels } = podOf(manifests).metadata
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'ServiceMonitor') return []
      return [spec?.podSelector?.matchLabels, spec?.selector?.matchLabels].filter(
        (selector) => selector !== undefined,
      )
    })
    expect(selectors.length).toBeGreaterThanOrEqual(3)
    for (const selector of selectors) expect(labels).toMatchObject(selector)
    const { name } = findManifest(manifests, 'Deployment').metadata
    const hpa = findManifest(manifests, 'HorizontalPodAutoscaler').spec
    expect(hpa?.scaleTargetRef?.name).toBe(name)
  })

  test('scale by a metric that the service has', async () => {
    const { spec } = findManifest(await readVariant(variant), 'HorizontalPodAutoscaler')
    const asked = spec?.metrics?.flatMap(({ pods }) => pods?.metric.name ?? []) ?? []
    expect(asked).toEqual(['precis_http_request_bytes_in_flight'])
    const names = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(asked))
  })

  test('run it as nobody in particular, who can write nothing', async () => {
    const manifests = await readVariant(variant)
    expect(podOf(manifests).spec.automountServiceAccountToken).toBe(false)
    expect(precisOf(manifests).securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
  })

  test('configure it by variables that exist, and by none that a Service would add', async () => {
    const manifests = await readVariant(variant)
    const known = documentedVariables().map(({ name }) => name)
    const env = precisOf(manifests).env ?? []
    expect(known).toEqual(expect.arrayContaining(env.map(({ name }) => name)))
    expect(podOf(manifests).spec.enableServiceLinks).toBe(false)
  })

  test('wait longer for its end than it takes', async () => {
    const manifests = await readVariant(variant)
    const env = precisOf(manifests).env ?? []
    const milliseconds = (wanted: string) => Number(env.find(({ name }) => name === wanted)?.value)
    const total =
      milliseconds('PRECIS_SHUTDOWN_DELAY_MS') + milliseconds('PRECIS_SHUTDOWN_GRACE_MS')
    expect(total).toBeGreaterThan(0)
    expect(podOf(manifests).spec.terminationGracePeriodSeconds).toBeGreaterThan(total / 1_000)
  })

  test.runIf(enabled)('are what helm makes of the chart', async () => {
    for (const { path, content } of renderVariant(helm, variant)) {
      expect(await readFile(pathInRepository(path), 'utf8'), path).toBe(content)
    }
  })
})

describe('the variant sidecar', () => {
  test('starts Precis before the main container, and keeps it until that has ended', async () => {
    const { spec } = podOf(await readVariant('sidecar'))
    expect(spec.initContainers).toMatchObject([{ name: 'precis', restartPolicy: 'Always' }])
    expect(spec.containers).toMatchObject([{ name: 'gateway' }])
  })
})

describe('the chart', () => {
  test.each([
    ['alerts.yml', ALERTS_FILE],
    ['recording.yml', RECORDING_FILE],
    ['precis.json', DASHBOARD_FILE],
  ])('carries %s as it is used without a chart', async (name, original) => {
    expect(await readDeployFile(`${CHART}/files/${name}`)).toBe(await readDeployFile(original))
  })
})

describe.runIf(enabled)('the chart, rendered by helm,', () => {
  /** With such values in a file, where YAML decides what is a number. */
  function manifestsWith(values: string | object): readonly Manifest[] {
    const folder = mkdtempSync(join(tmpdir(), 'precis-values-'))
    try {
      const file = join(folder, 'values.yaml')
      writeFileSync(file, typeof values === 'string' ? values : stringify(values))
      return parseManifests(renderChart(helm, '--values', file))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const variablesOf = (values: string | object) => precisOf(manifestsWith(values)).env

  test('is objects that Kubernetes and the operator take, with everything switched on', async () => {
    const manifests = parseManifests(renderChart(helm, ...EVERYTHING))
    expect(new Set(manifests.map(({ kind }) => kind)).size).toBe(8)
    await expectValid(manifests)
  })

  test('has all rules, with the templates that are for Prometheus and the address of the runbooks', async () => {
    const base = 'prometheusRule.runbookBaseUrl=https://runbooks.example/'
    const manifests = parseManifests(renderChart(helm, ...EVERYTHING, '--set', base))
    const { groups = [] } = findManifest(manifests, 'PrometheusRule').spec ?? {}
    const rules = (groups as { rules: { alert?: string; annotations?: object }[] }[]).flatMap(
      (group) => group.rules,
    )
    const shipped = await readAlerts()
    expect(rules.length).toBe(shipped.length + (await readRecordingRules()).length)
    const down = rules.find(({ alert }) => alert === 'PrecisDown')
    expect(down?.annotations).toEqual({
      summary: shipped.find(({ alert }) => alert === 'PrecisDown')?.annotations.summary,
      runbook_url: 'https://runbooks.example/docs/operations.md#precisdown',
    })
  })

  test('has the dashboard as it is', async () => {
    const manifests = parseManifests(renderChart(helm, ...EVERYTHING))
    const { data } = findManifest(manifests, 'ConfigMap')
    expect(JSON.parse(data?.['precis.json'] ?? '')).toEqual(await readDashboard())
  })

  test('passes on keys of Secrets', () => {
    const env = variablesOf({
      secretEnvironment: {
        PRECIS_API_KEYS: { name: 'precis-keys', key: 'keys' },
        OTEL_EXPORTER_OTLP_HEADERS: { name: 'precis-keys', key: 'collector' },
      },
    })
    for (const [name, key] of [
      ['PRECIS_API_KEYS', 'keys'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'collector'],
    ]) {
      expect(env).toContainEqual({
        name,
        valueFrom: { secretKeyRef: { name: 'precis-keys', key } },
      })
    }
  })

  test.each([
    ['PRECIS_BODY_LIMIT_BYTES', '134217728', '134217728'],
    ['PRECIS_RATE_LIMIT_BYTES', '0', '0'],
    ['PRECIS_LOW_WATER', '0.75', '0.75'],
    ['PRECIS_OPTION_RELEVANCE_MIN_DROP_CONFIDENCE', '0.8', '0.8'],
    ['PRECIS_OPTION_RELEVANCE_ENABLED', 'false', 'false'],
    ['PRECIS_DECIDE_MODEL', 'a-model', 'a-model'],
    ['PRECIS_DECIDE_LABEL_TOKEN_IDS', '"9454,2753"', '9454,2753'],
    ['PRECIS_UI', 'off', 'off'],
    ['PRECIS_REDACT', 'on', 'on'],
    ['PRECIS_REDACT', '"off"', 'off'],
  ])('passes on %s: %s of a file as %s', (name, written, value) => {
    expect(variablesOf(`environment: { ${name}: ${written} }`)).toContainEqual({ name, value })
  })

  test.each(VARIANTS)('mounts a file of keys that can be rotated (%s)', async (variant) => {
    const keys = { name: 'keys', secret: { secretName: 'precis-keys' } }
    const mount = { name: 'keys', mountPath: '/etc/precis', readOnly: true }
    const values = parse(await readDeployFile(valuesFile(variant))) as object
    const manifests = manifestsWith({
      ...values,
      environment: { PRECIS_API_KEYS_FILE: '/etc/precis/keys' },
      volumes: [keys],
      volumeMounts: [mount],
    })
    await expectValid(manifests)
    expect(podOf(manifests).spec.volumes).toEqual([keys])
    expect(precisOf(manifests).volumeMounts).toEqual([mount])
    expect(precisOf(manifests).env).toContainEqual({
      name: 'PRECIS_API_KEYS_FILE',
      value: '/etc/precis/keys',
    })
  })

  test('knows every variable that is on or off, which YAML makes a truth of', () => {
    const switches = documentedVariables()
      .filter(({ schema }) => String(schema.enum) === 'on,off')
      .map(({ name }) => name)
    expect(switches.length).toBeGreaterThan(1)
    for (const name of switches) {
      for (const value of ['on', 'off']) {
        expect(variablesOf(`environment: { ${name}: ${value} }`)).toContainEqual({ name, value })
      }
    }
  })

  test.each([
    ['a sidecar without a main container', ['--set', 'mode=sidecar'], 'sidecar.main'],
    ['a value that it does not know', ['--set', 'replica=3'], 'replica'],
    ['a mode that it does not know', ['--set', 'mode=library'], 'mode'],
    [
      'a port that nothing else would know',
      ['--set', 'environment.PRECIS_PORT=9090'],
      'value port',
    ],
    [
      'a listener that nothing else would know',
      ['--set', 'environment.PRECIS_ADMIN_PORT=9090'],
      'value admin.port',
    ],
    ['two listeners on one port', ['--set', 'admin.port=8080'], 'must differ'],
  ])('refuses %s', (_, commandLine, word) => {
    expect(() => renderChart(helm, ...commandLine)).toThrow(word)
  })

  test('keeps its replicas where no autoscaler sets them', async () => {
    const manifests = parseManifests(renderChart(helm, '--set', 'autoscaling.enabled=false'))
    expect(findManifest(manifests, 'Deployment').spec).toMatchObject({ replicas: 2 })
    const scaled = parseManifests(
      renderChart(helm, '--values', pathInRepository(valuesFile('shared'))),
    )
    expect(findManifest(scaled, 'Deployment').spec).not.toHaveProperty('replicas')
  })
})
