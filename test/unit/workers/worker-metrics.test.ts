import { Counter, Gauge, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { MetricSnapshot } from '../../../src/workers/messages.ts'
import { createWorkerMetrics } from '../../../src/workers/worker-metrics.ts'

/** A gauge like that of the event loop: it tells what was since it was last asked. */
function withGauge(registry: Registry): void {
  let since = 7
  new Gauge({
    name: 'since_last_asked',
    help: 'h',
    registers: [registry],
    collect() {
      this.set(since)
      since = 0
    },
  })
}

it('asks each metric of the service once, so that what is counted between two scrapes is told', async () => {
  const registry = new Registry()
  withGauge(registry)
  new Counter({ name: 'shared', help: 'h', registers: [registry] }).inc(2)
  const other = new Registry()
  new Counter({ name: 'shared', help: 'h', registers: [other] }).inc(3)
  const workers = createWorkerMetrics()
  workers.report(1, (await other.getMetricsAsJSON()) as unknown as MetricSnapshot)
  const text = await workers.text(registry)
  expect(text).toContain('\nsince_last_asked 7\n')
  expect(text).toContain('\nshared 5\n')
})
