/** One service under one rate for a while, and all that is looked at meanwhile. */
import { request } from 'undici'
import { median } from '../../bench/lib/statistics.ts'
import { readMetricSamples } from '../../test/helpers/metric-samples.ts'
import { runOpenLoop } from '../lib/open-loop.ts'
import { readProcessState } from '../lib/process-state.ts'
import type { CompactClient } from './compact-client.ts'
import type { Bodies } from './mix.ts'
import type { ProbeResult } from './probe.ts'
import type { Probe } from './probe-process.ts'
import { createTally, type Tally } from './tally.ts'

export interface Target {
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly client: CompactClient
}

export interface PhaseOptions {
  readonly target: Target
  readonly probe: Probe
  readonly bodies: Bodies
  /** Requests a second. */
  readonly rate: number
  /** That is so large a share of the capacity. */
  readonly share: number
  readonly durationMs: number
  readonly random: () => number
}

export interface PhaseResult {
  readonly target: string
  readonly rate: number
  readonly share: number
  readonly tally: Tally
  readonly health: ProbeResult
  /** Of the event loop, in milliseconds, as the service itself says on /metrics. */
  readonly eventLoopDelay: { readonly p99: number; readonly max: number }
  /** Cores that were busy, in the mean. */
  readonly cores: { readonly service: number; readonly generator: number }
  /** Resident bytes in each third of the time, the median of each. */
  readonly rssThirds: readonly number[]
  readonly lost: number
  /** Milliseconds. */
  readonly latestSend: number
}

const RSS_EVERY_MS = 250

/** The service's own deadline, and a little. */
const DRAIN_MS = 35_000

/** One answer in so many is read and looked at. */
const READ_EVERY = 10

export async function runPhase(options: PhaseOptions): Promise<PhaseResult> {
  const { target, probe, bodies, rate, share, durationMs, random } = options
  const tally = createTally()
  const rss: number[] = []
  // The scrape ends the time that the gauges of the event loop speak of.
  await readDelay(target.url)
  const generatorBefore = process.cpuUsage()
  const serviceBefore = readProcessState(target.pid).cpuMs
  const startedAt = performance.now()
  const sampler = setInterval(() => rss.push(readProcessState(target.pid).rssBytes), RSS_EVERY_MS)
  probe.start(target.url)
  let number = 0
  const loop = runOpenLoop({
    rate,
    durationMs,
    random,
    drainMs: DRAIN_MS,
    send: async (scheduledAt) => {
      const size = bodies.nextClass()
      number += 1
      const isRead = size !== '5 MB' && number % READ_EVERY === 0
      const outcome = await target.client.post(bodies.next(size), isRead)
      tally.add(size, outcome, performance.now() - scheduledAt)
    },
  })
  const { lost, latestSend } = await loop
  const milliseconds = performance.now() - startedAt
  clearInterval(sampler)
  const health = await probe.stop()
  const eventLoopDelay = await readDelay(target.url)
  const generator = process.cpuUsage(generatorBefore)
  return {
    target: target.name,
    rate,
    share,
    tally,
    health,
    eventLoopDelay,
    cores: {
      service: (readProcessState(target.pid).cpuMs - serviceBefore) / milliseconds,
      generator: (generator.user + generator.system) / 1_000 / milliseconds,
    },
    rssThirds: thirdsOf(rss),
    lost,
    latestSend,
  }
}

async function readDelay(url: string): Promise<{ readonly p99: number; readonly max: number }> {
  const { body } = await request(`${url}/metrics`)
  const samples = readMetricSamples(await body.text())
  const of = (name: string) => samples.sum(`precis_nodejs_eventloop_lag_${name}_seconds`) * 1_000
  return { p99: of('p99'), max: of('max') }
}

function thirdsOf(values: readonly number[]): readonly number[] {
  const size = Math.ceil(values.length / 3)
  return [0, 1, 2].map((third) => median(values.slice(third * size, (third + 1) * size)))
}
