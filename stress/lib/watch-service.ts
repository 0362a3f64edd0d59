import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { type MetricSamples, readMetricSamples } from '../../test/helpers/metric-samples.ts'

export interface ServiceWatch {
  /** Probes of /healthz so far that were not answered 200 within their time. */
  readonly missedProbes: () => number
  readonly probes: () => number
  readonly stop: () => Promise<void>
}

export interface WatchOptions {
  readonly url: string
  /** After which a probe that was not answered is missed. */
  readonly patienceMs: number
  /** Given every scrape of /metrics; a scrape that fails counts as a missed probe. */
  readonly onScrape?: (samples: MetricSamples) => void
}

const EVERY_MS = 250

/** Asks a service how it is, all the time, as an orchestrator and a Prometheus do. */
export function watchService({ url, patienceMs, onScrape }: WatchOptions): ServiceWatch {
  const dispatcher = new Agent()
  let isOver = false
  let probes = 0
  let missed = 0

  const get = async (path: string): Promise<string | undefined> => {
    try {
      const signal = AbortSignal.timeout(patienceMs)
      const response = await request(`${url}${path}`, { dispatcher, signal })
      const text = await response.body.text()
      return response.statusCode === 200 ? text : undefined
    } catch {
      return undefined
    }
  }
  const run = async (): Promise<void> => {
    while (!isOver) {
      const [health, metrics] = await Promise.all([get('/healthz'), get('/metrics')])
      probes += 1
      if (health === undefined || metrics === undefined) missed += 1
      if (metrics !== undefined) onScrape?.(readMetricSamples(metrics))
      await sleep(EVERY_MS)
    }
  }
  const running = run()

  return {
    missedProbes: () => missed,
    probes: () => probes,
    stop: async () => {
      isOver = true
      await running
      await dispatcher.close()
    },
  }
}
