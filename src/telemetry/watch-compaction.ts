import type { CompactResult } from '../conversation/compact-conversation.ts'
import type { StageObserver } from '../engine/ports.ts'
import type { Metrics } from './metrics.ts'
import { recordCompaction } from './record-compaction.ts'
import { createStageTimer, observeBoth, type StageTimer } from './stage-timer.ts'
import { createStageSpans, describeCompaction } from './tracing/spans.ts'

export interface CompactionWatch {
  /** Told of the stages by the engine. */
  readonly observer: StageObserver
  readonly timer: StageTimer
  /** Puts what it came to into metrics, and on the span of its request. */
  readonly done: (result: CompactResult) => void
}

/** Times, counts and traces one compaction, whatever way it was asked for. */
export function watchCompaction(metrics: Metrics): CompactionWatch {
  const timer = createStageTimer()
  return {
    observer: observeBoth(timer, createStageSpans()),
    timer,
    done: (result) => {
      recordCompaction(metrics, result, timer)
      describeCompaction(result)
    },
  }
}
