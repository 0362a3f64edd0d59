/** What an operator has to say to a collector, and hears of one that takes no spans. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import {
  startTraceCollector,
  type TraceCollector,
  type TraceCollectorOptions,
} from '../helpers/trace-collector.ts'

/** Connecting anew takes OpenTelemetry up to ten seconds. */
const TEST_MS = START_PROCESS_MS + 30_000

const BODY = { messages: [{ role: 'user', content: 'hello' }], targetTokens: 100 }

/** Until it holds. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startCollector(options?: TraceCollectorOptions): Promise<TraceCollector> {
  const collector = await startTraceCollector(options)
  closing.push(collector.close)
  return collector
}

async function start(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    environment: {
      PRECIS_TRACING_URL: url,
      // The collector wants them soon (OpenTelemetry, *Environment variable specification*).
      OTEL_BSP_SCHEDULE_DELAY: '50',
      PRECIS_WORKERS: '1',
      PRECIS_WORKER_MIN_BYTES: '20000',
      ...environment,
    },
  })
  closing.push(service.close)
  return service
}

const compact = (service: ServiceProcess, body: object = BODY) =>
  service.send('/compact', { method: 'POST', body })

const warnings = (service: ServiceProcess) =>
  service.logLines().filter(({ msg }) => msg === 'spans cannot be sent')

describe('spans that cannot be sent', () => {
  it(
    'are told of once, with the status and not the words of the collector',
    async () => {
      const collector = await startCollector({ status: 401, words: plant('answer') })
      const service = await start(collector.url)
      for (let request = 0; request < 3; request += 1) {
        expect((await compact(service)).statusCode).toBe(200)
        await eventually(() => expect(collector.headers().length).toBeGreaterThan(request))
      }
      await eventually(() => expect(warnings(service)).toHaveLength(1))
      expect(warnings(service)).toMatchObject([{ level: 40, detail: 'the collector answers 401' }])
      expectNothingPlanted(service.logText())
    },
    TEST_MS,
  )

  it(
    'are told of where nobody listens, or the path of the URL is missing',
    async () => {
      const unheard = await start(`http://127.0.0.1:${await freePort()}/v1/traces`)
      const collector = await startCollector()
      const pathless = await start(new URL(collector.url).origin)
      expect((await compact(unheard)).statusCode).toBe(200)
      expect((await compact(pathless)).statusCode).toBe(200)
      await eventually(() => expect(warnings(pathless)).toHaveLength(1))
      expect(warnings(pathless)[0]).toMatchObject({ detail: 'the collector answers 404' })
      await eventually(() => expect(warnings(unheard)).toHaveLength(1))
      expect(warnings(unheard)[0]?.detail).toBe('the collector cannot be reached (ECONNREFUSED)')
    },
    TEST_MS,
  )
})

describe("OpenTelemetry's own variables", () => {
  it(
    'name the deployment, and hold a key that reaches the collector and nobody else',
    async () => {
      const collector = await startCollector()
      const key = plant('collector-key')
      const service = await start(collector.url, {
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one,x-key=wrong',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-key=${key}`,
        OTEL_SERVICE_NAME: 'precis-of-the-gateway',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      })
      const messages = Array.from({ length: 60 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${index} ${'and so on '.repeat(100)}`,
      }))
      expect((await compact(service, { messages, targetTokens: 2_000 })).statusCode).toBe(200)
      const names = () => collector.spans().map(({ name }) => name)
      await eventually(() => {
        // One by the service's own thread, one by that which has worked.
        expect(names()).toContain('POST /compact')
        expect(names()).toContain('work compact')
      })
      for (const headers of collector.headers()) {
        expect(headers).toMatchObject({ 'x-tenant': 'one', 'x-key': key })
      }
      for (const resource of collector.resources()) {
        expect(resource).toMatchObject({
          'service.name': 'precis-of-the-gateway',
          'deployment.environment.name': 'staging',
        })
      }
      expectNothingPlanted(service.logText())
    },
    TEST_MS,
  )
})
