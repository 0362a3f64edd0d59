import type { RunPorts } from '../conversation/edit-conversation.ts'
import { PrecisError } from '../engine/errors.ts'
import { openCompactionDeadline } from './compaction-deadline.ts'
import { workTimeMs } from './plugins/deadline.ts'

export interface TimeLimit {
  /** Aborts when the caller leaves. */
  readonly caller: AbortSignal
  readonly limitMs: number
}

/** What heeds a limit: `signal` aborts at its end, `modelSignal` a little before. */
export type TimedPorts = Required<Pick<RunPorts, 'signal' | 'modelSignal' | 'modelDeadlineAt'>>

/**
 * Work for a caller whose request goes on without it: it is given up on when the time is over,
 * whatever it waits for. Throws PrecisError('deadline-exceeded') then, the reason of the caller's signal
 * when the caller leaves, and what the work throws.
 */
export async function inTime<Result>(
  { caller, limitMs }: TimeLimit,
  work: (ports: TimedPorts) => Promise<Result>,
): Promise<Result> {
  const deadline = openCompactionDeadline(caller, limitMs, workTimeMs(limitMs))
  const { signal, modelSignal, modelDeadlineAt } = deadline
  try {
    return await Promise.race([work({ signal, modelSignal, modelDeadlineAt }), deadline.aborted])
  } catch (error) {
    if (!deadline.isOver()) throw error
    throw new PrecisError('deadline-exceeded', 'The compaction ran out of time.')
  } finally {
    deadline.close()
  }
}
