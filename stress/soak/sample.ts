/** The service at rest: nothing under way, nobody connected, all garbage collected. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../bench/lib/server-process.ts'
import { readProcessState } from '../lib/process-state.ts'

export interface RestSample {
  /** Minutes since the first. */
  readonly minutes: number
  /** Requests that had been sent by then. */
  readonly requests: number
  /** Used, of all threads, after a collection. */
  readonly heapBytes: number
  /** Resident, at rest. */
  readonly rssBytes: number
  /** Of buffers outside the heap. */
  readonly externalBytes: number
  readonly descriptors: number
  readonly sockets: number
  readonly threads: number
  readonly timers: number
  /** All that keeps the event loop alive or might. */
  readonly resources: number
}

interface StateReport {
  readonly heaps: readonly number[]
  readonly external: number
  readonly rss: number
  readonly resources: Readonly<Record<string, number>>
}

/** What has hung up is noticed a moment later. */
const REST_MS = 12_000
const LOOK_EVERY_MS = 250
const STILL_MS = 2_000

/** `startedAt`: of the first sample, by `performance.now()`. */
export async function sampleAtRest(
  { pid, ask }: Pick<ServerProcess, 'pid' | 'ask'>,
  startedAt: number,
  requests: number,
): Promise<RestSample> {
  await untilStill(pid)
  const report = (await ask('state')) as StateReport
  const { descriptors, sockets, threads, rssBytes } = readProcessState(pid)
  const counts = Object.values(report.resources)
  return {
    minutes: (performance.now() - startedAt) / 60_000,
    requests,
    heapBytes: report.heaps.reduce((sum, bytes) => sum + bytes, 0),
    rssBytes,
    externalBytes: report.external,
    descriptors,
    sockets,
    threads,
    timers: report.resources.Timeout ?? 0,
    resources: counts.reduce((sum, count) => sum + count, 0),
  }
}

/** Until no socket has gone for a while. */
async function untilStill(pid: number): Promise<void> {
  const until = performance.now() + REST_MS
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  while (performance.now() < until && performance.now() - since < STILL_MS) {
    const { sockets } = readProcessState(pid)
    if (sockets < least) {
      least = sockets
      since = performance.now()
    }
    await sleep(LOOK_EVERY_MS)
  }
}
