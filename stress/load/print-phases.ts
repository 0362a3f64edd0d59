import { type Cell, printTable } from '../../bench/lib/report.ts'
import { SIZE_CLASSES } from './mix.ts'
import type { PhaseResult } from './phase.ts'

const MEBIBYTE = 1024 * 1024

/** All tables of the run. */
export function printPhases(phases: readonly PhaseResult[]): void {
  const head = ({ share, target }: PhaseResult): Cell[] => [`${share * 100}%`, target]
  printTable(
    'By size: milliseconds from the scheduled time to the last byte, of what was answered 200',
    ['of capacity', 'service', 'size', 'sent', '200', 'shed', 'shed, %', 'p50', 'p99', 'max'],
    phases.flatMap((phase) =>
      SIZE_CLASSES.map(({ name }) => {
        const { sent, answered, shed, latency } = phase.tally.of(name)
        const at = (share: number) =>
          answered === 0 ? Number.NaN : latency.percentile(share) / 1_000
        return [
          ...head(phase),
          name,
          ...[sent, answered, shed].map(String),
          (shed / sent) * 100,
          at(50),
          at(99),
          answered === 0 ? Number.NaN : latency.max / 1_000,
        ]
      }),
    ),
  )
  printTable(
    '/healthz, asked ten times a second, and the event loop: milliseconds',
    ['of capacity', 'service', 'asked', 'failed', 'p50', 'p99', 'max', 'loop p99', 'loop max'],
    phases.map((phase) => {
      const { asked, failed, p50, p99, max } = phase.health
      const { eventLoopDelay: loop } = phase
      return [...head(phase), `${asked}`, `${failed}`, p50, p99, max, loop.p99, loop.max]
    }),
  )
  printTable(
    'Statuses',
    ['of capacity', 'service', 'what came back', 'lost'],
    phases.map((phase) => [
      ...head(phase),
      [...phase.tally.statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
      String(phase.lost),
    ]),
  )
  printTable(
    'Memory (MiB, the median of each third of the time) and processor (cores; the generator shares them)',
    [
      'of capacity',
      'service',
      'first',
      'second',
      'last',
      'service cores',
      'generator cores',
      'sent late at most, ms',
    ],
    phases.map((phase) => [
      ...head(phase),
      ...phase.rssThirds.map((bytes) => bytes / MEBIBYTE),
      phase.cores.service,
      phase.cores.generator,
      phase.latestSend,
    ]),
  )
}
