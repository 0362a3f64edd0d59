/**
 * Whether probes and Prometheus find the listener that the chart gives them, and callers theirs: what the
 * manifests say is asked of a service that was started as they say, with the listener of operators and without.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  findHelm,
  renderChart,
  VARIANTS,
  type Variant,
  valuesFile,
} from '../../scripts/kubernetes-manifests.ts'
import { freePort } from '../helpers/free-port.ts'
import { createServiceClient } from '../helpers/service-client.ts'
import { START_PROCESS_MS, startServiceProcess } from '../helpers/start-service-process.ts'
import { pathInRepository } from './support/deploy-files.ts'
import { findManifest, type Manifest, parseManifests, precisOf } from './support/manifests.ts'

const helm = findHelm() ?? ''
const enabled = helm !== '' || Boolean(process.env.CI)

const MONITORING = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
}
const EVERY_POD_OF_THE_NAMESPACE = { podSelector: {} }
/** What the test's machine has in place of the pod's addresses. */
const LOOPBACK = '127.0.0.1'

const SETTINGS = VARIANTS.flatMap((variant) =>
  [true, false].map((isApart) => ({
    variant,
    isApart,
    listeners: isApart ? 'two listeners' : 'one listener',
  })),
)

interface Rendering {
  readonly manifests: readonly Manifest[]
  readonly port: number
  readonly adminPort: number
}

async function render(variant: Variant, isApart: boolean): Promise<Rendering> {
  const port = await freePort()
  let adminPort = await freePort()
  while (adminPort === port) adminPort = await freePort()
  const values = `port=${port},admin.port=${adminPort},admin.enabled=${isApart}`
  const file = pathInRepository(valuesFile(variant))
  const text = renderChart(helm, '--values', file, '--set', values)
  return { manifests: parseManifests(text), port, adminPort }
}

const variablesOf = (manifests: readonly Manifest[]) =>
  Object.fromEntries((precisOf(manifests).env ?? []).map(({ name, value = '' }) => [name, value]))

/** Number of a port of the container by its name, as Kubernetes finds it. */
function portCalled(manifests: readonly Manifest[], wanted: string | undefined): number {
  const found = precisOf(manifests).ports?.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`no port is called ${wanted}`)
  return found.containerPort
}

interface Target {
  readonly port: number
  readonly path: string
}

/** Where the kubelet asks, whether it has started, is alive, is ready. */
function probesOf(manifests: readonly Manifest[]): readonly Target[] {
  const { startupProbe, livenessProbe, readinessProbe } = precisOf(manifests)
  return [startupProbe, livenessProbe, readinessProbe].map((probe) => ({
    path: probe?.httpGet.path ?? '',
    port: portCalled(manifests, probe?.httpGet.port),
  }))
}

/** Where Prometheus asks: straight at the pod, or by the port of a Service that the monitor selects. */
function scraped(manifests: readonly Manifest[]): Target {
  const ofPods = manifests.find(({ kind }) => kind === 'PodMonitor')?.spec?.podMetricsEndpoints?.[0]
  if (ofPods !== undefined) return { ...ofPods, port: portCalled(manifests, ofPods.port) }
  const { spec } = findManifest(manifests, 'ServiceMonitor')
  const [endpoint] = spec?.endpoints ?? []
  const labels = Object.entries(spec?.selector?.matchLabels ?? { none: '' })
  const ports = manifests
    .filter(({ kind }) => kind === 'Service')
    .filter(({ metadata }) => labels.every(([name, value]) => metadata.labels?.[name] === value))
    .flatMap((service) => service.spec?.ports ?? [])
    .filter(({ name }) => name === endpoint?.port)
  expect(ports).toHaveLength(1)
  return { path: endpoint?.path ?? '', port: portCalled(manifests, ports[0]?.targetPort) }
}

describe.runIf(enabled).each(SETTINGS)('the variant $variant with $listeners', (setting) => {
  const { variant, isApart } = setting

  test(
    'answers its probes and Prometheus where they ask, and callers at their port',
    async () => {
      const { manifests, port, adminPort } = await render(variant, isApart)
      const service = await startServiceProcess({
        environment: {
          ...variablesOf(manifests),
          PRECIS_HOST: LOOPBACK,
          ...(isApart && { PRECIS_ADMIN_HOST: LOOPBACK }),
          PRECIS_WORKERS: '0',
          PRECIS_SHUTDOWN_DELAY_MS: '0',
        },
      })
      onTestFinished(service.close)
      const ask = async (at: number, path: string) => {
        const client = createServiceClient(`http://${LOOPBACK}:${at}`)
        try {
          return (await client.send(path)).statusCode
        } finally {
          await client.close()
        }
      }
      const probes = probesOf(manifests)
      expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/healthz', '/readyz'])
      for (const probe of probes) expect(await ask(probe.port, probe.path)).toBe(200)
      const monitored = scraped(manifests)
      expect(monitored).toMatchObject({ port: isApart ? adminPort : port, path: '/metrics' })
      expect(await ask(monitored.port, monitored.path)).toBe(200)
      expect(await ask(port, '/openapi.json')).toBe(200)
      expect(await ask(port, '/metrics')).toBe(isApart ? 404 : 200)
    },
    START_PROCESS_MS,
  )

  test('lets the monitoring namespace in where the metrics are, and callers nowhere else', async () => {
    const { manifests, port, adminPort } = await render(variant, isApart)
    const rules = findManifest(manifests, 'NetworkPolicy').spec?.ingress ?? []
    const whoReaches = (wanted: number) =>
      rules
        .filter(({ ports }) => ports.some((open) => open.port === wanted))
        .flatMap(({ from }) => from ?? ['everybody'])
    const callers = variant === 'shared' ? [EVERY_POD_OF_THE_NAMESPACE] : []
    expect(whoReaches(port)).toEqual(isApart ? callers : [MONITORING, ...callers])
    expect(whoReaches(adminPort)).toEqual(isApart ? [MONITORING] : [])
  })

  test('listens where its probes can reach it, and for callers no further than they need', async () => {
    const { manifests, port } = await render(variant, isApart)
    const { PRECIS_HOST = '', PRECIS_ADMIN_HOST = '' } = variablesOf(manifests)
    expect(PRECIS_HOST).toBe(variant === 'sidecar' && isApart ? LOOPBACK : '0.0.0.0')
    const asked = [...probesOf(manifests), scraped(manifests)].map((target) => target.port)
    expect(asked).toHaveLength(4)
    for (const number of asked) {
      expect(number === port ? PRECIS_HOST : PRECIS_ADMIN_HOST).toBe('0.0.0.0')
    }
  })
})

describe.runIf(enabled)('a Service of the chart that leads out of the cluster', () => {
  test('does not lead to the metrics', async () => {
    const values = 'service.type=LoadBalancer,serviceMonitor.enabled=true'
    const manifests = parseManifests(renderChart(helm, '--set', values))
    const services = manifests.filter(({ kind }) => kind === 'Service')
    const outside = services.filter(({ spec }) => spec?.type === 'LoadBalancer')
    expect(outside.flatMap(({ spec }) => spec?.ports ?? [])).toMatchObject([
      { targetPort: 'precis' },
    ])
    expect(scraped(manifests).port).toBe(portCalled(manifests, 'admin'))
  })
})
