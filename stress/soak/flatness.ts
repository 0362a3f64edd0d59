/** Whether what is left at rest stays the same. */
import { median } from '../../bench/lib/statistics.ts'
import type { RestSample } from './sample.ts'

const MEBIBYTE = 1024 * 1024

/**
 * Most that the heap may grow by, of the slope through all samples. A day of it is 768 MiB, which an
 * instance with 2 GiB that is deployed anew once a day never notices; less cannot be told from noise within
 * 20 minutes. At a hundred requests a second it is less than a hundred bytes of each.
 */
export const HEAP_BYTES_PER_HOUR = 32 * MEBIBYTE

/** A slope over less time is that of compiled code: the growth from first to last counts, against a bound. */
const LEAST_MINUTES = 10
const SHORT_GROWTH_BYTES = 16 * MEBIBYTE

/** Resident memory: fragments of what came and went, beside the heap. */
const RSS_GROWTH_BYTES = 96 * MEBIBYTE

/** Of handles at rest, from the first third of the samples to the last. */
const MOST_MORE = 4

/** Bytes an hour, the slope of the straight line with the least squares. */
export function heapSlope(samples: readonly RestSample[]): number {
  const hours = samples.map(({ minutes }) => minutes / 60)
  const bytes = samples.map(({ heapBytes }) => heapBytes)
  const meanHours = mean(hours)
  const meanBytes = mean(bytes)
  const together = mean(
    hours.map((hour, at) => (hour - meanHours) * ((bytes[at] ?? 0) - meanBytes)),
  )
  return together / mean(hours.map((hour) => (hour - meanHours) ** 2))
}

/** In words, what grew; none where all is flat. The first sample belongs to a warm service. */
export function findGrowth(samples: readonly RestSample[]): readonly string[] {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || first === last) return ['there are no samples']
  const grown: string[] = []
  if (last.minutes - first.minutes >= LEAST_MINUTES) {
    const slope = heapSlope(samples)
    if (slope > HEAP_BYTES_PER_HOUR) grown.push(`the heap grows by ${inMebibytes(slope)} an hour`)
  } else if (last.heapBytes - first.heapBytes > SHORT_GROWTH_BYTES) {
    grown.push(`the heap grew by ${inMebibytes(last.heapBytes - first.heapBytes)}`)
  }
  const [before, after] = thirds(samples)
  const rss = medianOf(after, 'rssBytes') - medianOf(before, 'rssBytes')
  if (rss > RSS_GROWTH_BYTES) grown.push(`resident memory grew by ${inMebibytes(rss)}`)
  for (const name of ['descriptors', 'sockets', 'threads', 'timers', 'resources'] as const) {
    const more = medianOf(after, name) - medianOf(before, name)
    if (more > MOST_MORE) grown.push(`${name} grew by ${more}`)
  }
  return grown
}

/** The first and the last third, of at least one each. */
function thirds(samples: readonly RestSample[]): readonly [RestSample[], RestSample[]] {
  const size = Math.max(1, Math.floor(samples.length / 3))
  return [samples.slice(0, size), samples.slice(-size)]
}

function medianOf(samples: readonly RestSample[], name: keyof RestSample): number {
  return median(samples.map((sample) => sample[name]))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function inMebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`
}
