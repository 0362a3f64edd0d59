/** One cell of the table: a dependency with a fault. */
export interface CellResult {
  readonly dependency: string
  readonly fault: string
  /** Sent before, during and after the fault. */
  readonly requests: readonly [before: number, during: number, after: number]
  /** Of those during the fault, the share that was answered as promised and in time. */
  readonly promisedShare: number
  readonly slowestMs: number
  /** What the answers were, or what was done without, with how often, during the fault. */
  readonly seen: ReadonlyMap<string, number>
  readonly breaker: string
  /** From the end of the fault until nothing was done without; NaN where it never came to that. */
  readonly recoveredMs: number
  /** What was broken, each once with how often; empty for a cell that keeps every promise. */
  readonly violations: readonly string[]
}

/** How long each phase is, and how many call at once. */
export interface Pace {
  readonly callers: number
  readonly healthySeconds: number
  readonly faultSeconds: number
  /** Within which a probe has to be answered: far above any answer, for the machine may be busy with others. */
  readonly probeMs: number
}

export function countAll(texts: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return new Map([...counts].sort(([, one], [, other]) => other - one))
}

export function showCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([text, count]) => `${text} x ${count}`).join(', ')
}

/** Between two calls of one caller: without it, a fault that is answered at once is a busy loop. */
export const PAUSE_MS = 100

/** Least of a fault of silence: several attempts have to have waited for their end. */
export const SILENT_SECONDS = 12

/** Until a thread has been started, which takes long where it compiles the sources on a busy machine. */
export const WARM_UP_MS = 90_000

/** Recovering includes the ten seconds of an open breaker, and another ten where its probe came too early. */
export const RECOVERY_MS = 45_000
