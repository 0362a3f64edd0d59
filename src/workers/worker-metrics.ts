/** The metrics of threads that come and go, as one with those of the service. */
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricSnapshot } from './messages.ts'

export interface WorkerMetrics {
  /** What a worker has counted since it was started; the latest word is kept. */
  readonly report: (worker: number, snapshot: MetricSnapshot) => void
  /** Keeps the counts of workers that are no more, and lets go of their states. */
  readonly retire: (living: readonly number[]) => Promise<void>
  /** The text for Prometheus, over all threads. */
  readonly text: (registry: Registry) => Promise<string>
}

export function createWorkerMetrics(): WorkerMetrics {
  const latest = new Map<number, MetricSnapshot>()
  let retired: readonly MetricSnapshot[] = []

  return {
    report: (worker, snapshot) => {
      latest.set(worker, snapshot)
    },
    retire: async (living) => {
      for (const [worker, snapshot] of latest) {
        if (living.includes(worker)) continue
        latest.delete(worker)
        retired = [...retired, snapshot.filter(({ type }) => String(type) !== 'gauge')]
      }
      // One snapshot for however many have gone.
      if (retired.length < 2) return
      const merging = retired
      const merged = await AggregatorRegistry.aggregate([...merging]).getMetricsAsJSON()
      retired = [merged as MetricSnapshot, ...retired.filter((one) => !merging.includes(one))]
    },
    text: async (registry) => {
      const others = [...retired, ...latest.values()]
      if (others.length === 0) return registry.metrics()
      // What only the service counts stays as it is: prom-client leaves some of it out of a sum.
      const shared = new Set(others.flatMap((snapshot) => snapshot.map(({ name }) => name)))
      // Each is asked once: some, such as those of the event loop, tell what was since they were last asked.
      const own = await Promise.all(
        [...shared].flatMap((name) => registry.getSingleMetric(name)?.get() ?? []),
      )
      const summed = AggregatorRegistry.aggregate([own, ...others])
      const texts = registry
        .getMetricsAsArray()
        .map(({ name }) => (shared.has(name) ? summed : registry).getSingleMetricAsString(name))
      return `${(await Promise.all(texts)).join('\n\n')}\n`
    },
  }
}
