/** What a request takes of the processor: one size at a time, one request after the other. */
import { printTable } from '../../bench/lib/report.ts'
import type { ServerProcess } from '../../bench/lib/server-process.ts'
import { type Bodies, SIZE_CLASSES, type SizeClass } from './mix.ts'

export interface Cost {
  readonly size: SizeClass
  readonly requests: number
  /** Milliseconds of the whole process for one request, its collector and threads included. */
  readonly cpu: number
  readonly cpuPerMegabyte: number
  /** Milliseconds until the answer. */
  readonly wall: number
}

/** Bytes of a size that are posted: more of the small ones, whose cost is next to nothing. */
const BYTES = 40_000_000
const SHORT_BYTES = 2_000_000
const LEAST_REQUESTS = 4

const MEGABYTE = 1_000_000

/** Of the service behind `post`, which should be warm. All texts are new to it. */
export async function measureCost(
  post: ServerProcess['post'],
  bodies: Bodies,
  isShort: boolean,
): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (const { name: size, bytes } of SIZE_CLASSES) {
    const count = Math.max(LEAST_REQUESTS, Math.round((isShort ? SHORT_BYTES : BYTES) / bytes))
    const batch = Array.from({ length: count }, () => bodies.next(size))
    const { cpu, wall } = await post('/compact', batch)
    costs.push({ size, requests: count, cpu, cpuPerMegabyte: (cpu / bytes) * MEGABYTE, wall })
  }
  return costs
}

export function printCost(costs: readonly Cost[]): void {
  printTable(
    'Cost: milliseconds of processor time, texts that are new, one request after the other',
    [
      'size',
      'requests',
      'a request',
      'a megabyte',
      'requests a second of a core',
      'answered after',
    ],
    costs.map(({ size, requests, cpu, cpuPerMegabyte, wall }) => [
      size,
      String(requests),
      cpu,
      cpuPerMegabyte,
      1_000 / cpu,
      wall,
    ]),
  )
  const mean = SIZE_CLASSES.reduce((sum, { name, perHundred }) => {
    return sum + ((costs.find(({ size }) => size === name)?.cpu ?? 0) * perHundred) / 100
  }, 0)
  console.log(
    `\nOf the mix: ${mean.toFixed(1)} ms a request, ${(1_000 / mean).toFixed(0)} requests a second of a core.`,
  )
}
