import { SIZE_CLASSES } from './mix.ts'
import type { PhaseResult } from './phase.ts'

/** Of /healthz at the 99th percentile, at any load. */
const HEALTH_MS = 50

/**
 * The same in a run of seconds on a machine that does other things, which says nothing finer: for a service that
 * has a core to itself, and as much more as it has less of one.
 */
const SHORT_HEALTH_MS = 2_000
const LEAST_CORES = 0.1

/** Of the small requests at half of the capacity: arrivals without memory crowd now and then. */
const SHED_AT_HALF = 0.01

const MEBIBYTE = 1024 * 1024

/**
 * What memory may grow by from the second third of a phase to its last. Two bounded things fill with use
 * and may not be full yet: the caches of counts (64 MiB a thread, PRECIS_TOKEN_CACHE_BYTES), and the heap,
 * which V8 lets grow with the rate of allocation.
 */
const RSS_GROWTH_BYTES = 128 * MEBIBYTE

/** In words, each promise that a phase broke; none where all were kept. */
export function brokenPromises(
  phases: readonly PhaseResult[],
  { shipped, isShort }: { readonly shipped: string; readonly isShort: boolean },
): readonly string[] {
  return phases.flatMap((phase) => {
    const at = `${phase.target}, ${phase.rate.toFixed(1)} a second`
    const broken = [...phase.tally.faults].map(([fault, count]) => `${fault} (${count} times)`)
    if (phase.lost > 0) broken.push(`${phase.lost} requests were not answered`)
    if (SIZE_CLASSES.every(({ name }) => phase.tally.of(name).answered === 0)) {
      broken.push('nothing was answered')
    }
    const small = phase.tally.of('20 kB')
    if (!isShort && phase.share <= 0.5 && small.shed > small.sent * SHED_AT_HALF) {
      broken.push(`${small.shed} of ${small.sent} small requests were refused`)
    }
    const { health, rssThirds } = phase
    if (health.failed > 0) broken.push(`/healthz failed ${health.failed} times`)
    // The service without threads is there for comparison.
    if (phase.target === shipped && health.p99 >= (isShort ? shortHealthMs(phase) : HEALTH_MS)) {
      broken.push(`/healthz took ${health.p99.toFixed(0)} ms at the 99th percentile`)
    }
    const [, second = 0, last = 0] = rssThirds
    if (!isShort && last - second > RSS_GROWTH_BYTES) {
      broken.push(`memory grew by ${((last - second) / MEBIBYTE).toFixed(0)} MiB`)
    }
    return broken.map((what) => `${at}: ${what}`)
  })
}

function shortHealthMs({ cores }: PhaseResult): number {
  return SHORT_HEALTH_MS / Math.min(1, Math.max(LEAST_CORES, cores.service))
}
