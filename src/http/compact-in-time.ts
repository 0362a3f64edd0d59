import type { CompactResult } from '../conversation/compact-conversation.ts'
import type { RunPorts } from '../conversation/edit-conversation.ts'
import { PrecisError } from '../engine/errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { watchCompaction } from '../telemetry/watch-compaction.ts'
import { openCompactionDeadline } from './compaction-deadline.ts'
import { workTimeMs } from './plugins/deadline.ts'

export interface CompactInTimeOptions {
  /** Aborts when the caller leaves. */
  readonly caller: AbortSignal
  readonly limitMs: number
  readonly metrics: Metrics
}

/**
 * A compaction for a caller whose request goes on without it: it is given up on when the time is over,
 * whatever it waits for. Throws PrecisError('deadline-exceeded') then, the reason of the caller's signal
 * when the caller leaves, and what the work throws.
 */
export async function compactInTime(
  { caller, limitMs, metrics }: CompactInTimeOptions,
  work: (ports: RunPorts) => Promise<CompactResult>,
): Promise<CompactResult> {
  const deadline = openCompactionDeadline(caller, limitMs, workTimeMs(limitMs))
  const { signal, modelSignal, modelDeadlineAt } = deadline
  const watch = watchCompaction(metrics)
  try {
    const ports = { signal, modelSignal, modelDeadlineAt, observer: watch.observer }
    const result = await Promise.race([work(ports), deadline.aborted])
    watch.done(result)
    return result
  } catch (error) {
    if (!deadline.isOver()) throw error
    throw new PrecisError('deadline-exceeded', 'The compaction ran out of time.')
  } finally {
    deadline.close()
  }
}
