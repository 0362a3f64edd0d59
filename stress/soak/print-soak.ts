import { printTable } from '../../bench/lib/report.ts'
import { HEAP_BYTES_PER_HOUR, heapSlope } from './flatness.ts'
import type { RestSample } from './sample.ts'
import type { SoakTally } from './tally.ts'

const MEBIBYTE = 1024 * 1024

const COUNTS = ['descriptors', 'sockets', 'threads', 'timers', 'resources'] as const
const BYTES = [
  ['heap, all threads, collected', 'heapBytes'],
  ['buffers outside of it', 'externalBytes'],
  ['resident', 'rssBytes'],
] as const

/** `capacity` and `rate`: requests a second. */
export function printSoak(
  samples: readonly RestSample[],
  tally: SoakTally,
  { capacity, rate }: { readonly capacity: number; readonly rate: number },
): void {
  const last = samples.at(-1)
  const first = samples[0]
  if (first === undefined || last === undefined) return
  console.log(
    `\n${tally.total()} requests, ${rate.toFixed(1)} a second (capacity ${capacity.toFixed(1)}), for ${(last.minutes - first.minutes).toFixed(1)} minutes`,
  )
  printTable(
    'The service at rest, before and after',
    ['', 'before', 'after', 'least', 'most'],
    [
      ...BYTES.map(([title, name]) =>
        rowOf(samples, `${title}, MiB`, (one) => one[name] / MEBIBYTE),
      ),
      ...COUNTS.map((name) => rowOf(samples, name, (one) => one[name])),
    ],
  )
  const slope = heapSlope(samples)
  const perRequest =
    ((slope / 3_600) * (last.minutes - first.minutes) * 60) / (last.requests - first.requests)
  console.log(
    `\nSlope of the heap: ${(slope / MEBIBYTE).toFixed(1)} MiB an hour (bound ${HEAP_BYTES_PER_HOUR / MEBIBYTE}), ${perRequest.toFixed(0)} bytes a request`,
  )
  printTable(
    'Each look',
    ['minute', 'requests', 'heap, MiB', 'resident, MiB', ...COUNTS],
    samples.map((one) => [
      one.minutes.toFixed(1),
      String(one.requests),
      one.heapBytes / MEBIBYTE,
      one.rssBytes / MEBIBYTE,
      ...COUNTS.map((name) => String(one[name])),
    ]),
  )
  printTable(
    'What came back',
    ['kind', 'outcome', 'requests'],
    [...tally.outcomes].flatMap(([kind, outcomes]) =>
      [...outcomes]
        .sort(([, a], [, b]) => b - a)
        .map(([what, count]) => [kind, what, String(count)]),
    ),
  )
}

function rowOf(samples: readonly RestSample[], title: string, of: (one: RestSample) => number) {
  const values = samples.map(of)
  return [
    title,
    of(samples[0] as RestSample),
    values.at(-1) ?? 0,
    Math.min(...values),
    Math.max(...values),
  ]
}
