import type { CompactResult } from '../conversation/compact-conversation.ts'
import type { RunPorts } from '../conversation/edit-conversation.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { watchCompaction } from '../telemetry/watch-compaction.ts'
import { inTime, type TimeLimit } from './in-time.ts'

export interface CompactInTimeOptions extends TimeLimit {
  readonly metrics: Metrics
}

/** A compaction within a time limit, timed, counted and traced. Throws as `inTime` does. */
export async function compactInTime(
  { metrics, ...limit }: CompactInTimeOptions,
  work: (ports: RunPorts) => Promise<CompactResult>,
): Promise<CompactResult> {
  const watch = watchCompaction(metrics)
  const result = await inTime(limit, (ports) => work({ ...ports, observer: watch.observer }))
  watch.done(result)
  return result
}
