/** What became of the requests of one phase, by size. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { Outcome } from './compact-client.ts'
import type { SizeClass } from './mix.ts'

export interface ClassTally {
  sent: number
  answered: number
  shed: number
  /** Microseconds of those that were answered 200, from their scheduled time on. */
  readonly latency: RecordableHistogram
}

export interface Tally {
  readonly add: (size: SizeClass, outcome: Outcome, milliseconds: number) => void
  readonly of: (size: SizeClass) => ClassTally
  /** Requests by status and code. */
  readonly statuses: ReadonlyMap<string, number>
  /** What the service must not do, in words, each with how often it did. */
  readonly faults: ReadonlyMap<string, number>
}

export function createTally(): Tally {
  const classes = new Map<SizeClass, ClassTally>()
  const statuses = new Map<string, number>()
  const faults = new Map<string, number>()
  const of = (size: SizeClass): ClassTally => {
    const known = classes.get(size) ?? {
      sent: 0,
      answered: 0,
      shed: 0,
      latency: createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 }),
    }
    classes.set(size, known)
    return known
  }
  return {
    of,
    statuses,
    faults,
    add(size, outcome, milliseconds) {
      const own = of(size)
      own.sent += 1
      const { status, code, hasRetryAfter } = outcome
      count(statuses, code === undefined ? String(status) : `${status} ${code}`)
      if (status === 200) {
        own.answered += 1
        own.latency.record(Math.max(1, Math.round(milliseconds * 1_000)))
        if (!isCompacted(outcome.answer)) count(faults, 'a conversation was not compacted')
      } else if (status === 503 && code === 'overloaded') {
        own.shed += 1
        if (!hasRetryAfter) count(faults, 'a 503 without Retry-After')
      } else count(faults, `${status} ${code ?? ''}`.trim())
    },
  }
}

function isCompacted(answer: unknown): boolean {
  if (answer === undefined) return true
  const { outcome, fits } = answer as { outcome?: string; fits?: boolean }
  return outcome === 'compacted' && fits === true
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
