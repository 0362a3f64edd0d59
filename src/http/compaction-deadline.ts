import { lookFirst } from './look-first.ts'

/** The time that one compaction may take, and the caller's patience. */
export interface CompactionDeadline {
  /** Aborts at the deadline, and when the caller leaves. */
  readonly signal: AbortSignal
  /** Aborts before it, so that the stages without a model still have time; and with it. */
  readonly modelSignal: AbortSignal
  /** On the clock of `performance.now()`. */
  readonly modelDeadlineAt: number
  /** Whether the time ran out while the caller was still there. */
  readonly isOver: () => boolean
  /** Rejects when `signal` aborts: for work that does not look at it. */
  readonly aborted: Promise<never>
  /** Lets go of the timers and of the caller's signal. Must be called. */
  readonly close: () => void
}

/** @param modelMs time for calls to models, from now; less than `deadlineMs` */
export function openCompactionDeadline(
  caller: AbortSignal,
  deadlineMs: number,
  modelMs: number,
): CompactionDeadline {
  const work = new AbortController()
  const models = new AbortController()
  let isOver = false
  let reject: (reason: unknown) => void = () => {}
  const aborted = new Promise<never>((_resolve, refuse) => {
    reject = refuse
  })
  // Nobody may be waiting for it when it comes.
  aborted.catch(() => {})

  const stop = (reason: unknown) => {
    models.abort(reason)
    work.abort(reason)
    reject(reason)
  }
  const onCallerLeft = () => stop(caller.reason)
  const outOfTime = () => new DOMException('The compaction ran out of time.', 'TimeoutError')
  const modelTimer = setTimeout(() => models.abort(outOfTime()), modelMs)
  const workTimer = setTimeout(() => {
    isOver = true
    stop(outOfTime())
  }, deadlineMs)
  if (caller.aborted) onCallerLeft()
  else caller.addEventListener('abort', onCallerLeft, { once: true })

  const lookAtCaller = () => {
    if (caller.aborted) onCallerLeft()
  }
  return {
    signal: lookFirst(work.signal, lookAtCaller),
    modelSignal: lookFirst(models.signal, lookAtCaller),
    modelDeadlineAt: performance.now() + modelMs,
    isOver: () => isOver,
    aborted,
    close: () => {
      clearTimeout(modelTimer)
      clearTimeout(workTimer)
      caller.removeEventListener('abort', onCallerLeft)
    },
  }
}
