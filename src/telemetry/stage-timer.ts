import type { StageObserver } from '../engine/ports.ts'

export interface StageTimer extends StageObserver {
  /** 0 for a stage that did not run. */
  readonly durationMs: (stage: string) => number
}

/** The engine has no clock; this stands around its stages with one. */
export function createStageTimer(now: () => number = () => performance.now()): StageTimer {
  const startedAt = new Map<string, number>()
  const durations = new Map<string, number>()
  return {
    stageStarted: (stage) => {
      startedAt.set(stage, now())
    },
    stageFinished: (stage) => {
      const started = startedAt.get(stage)
      if (started === undefined) return
      // A run in steps passes a stage several times.
      durations.set(stage, (durations.get(stage) ?? 0) + now() - started)
    },
    durationMs: (stage) => Math.round((durations.get(stage) ?? 0) * 1_000) / 1_000,
  }
}

export function observeBoth(one: StageObserver, other: StageObserver): StageObserver {
  return {
    stageStarted: (stage) => {
      one.stageStarted(stage)
      other.stageStarted(stage)
    },
    stageFinished: (stage) => {
      other.stageFinished(stage)
      one.stageFinished(stage)
    },
  }
}
