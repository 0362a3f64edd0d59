/** Why a call has to end before its answer is there. */
type StopReason = 'deadline' | 'aborted'

/** The time that one call may take, over all its waits and attempts. */
export interface CallScope {
  /** Aborts when the call has to end. */
  readonly signal: AbortSignal
  readonly stopped: () => StopReason | undefined
  /** Milliseconds until the deadline; Infinity without one. */
  readonly remainingMs: () => number
  readonly stop: (reason: StopReason) => void
  /** Lets go of the timer and of the caller's signal. Must be called. */
  readonly close: () => void
}

export interface CallScopeOptions {
  readonly signal?: AbortSignal | undefined
  /** Absolute, on the clock of `now`. */
  readonly deadlineAt?: number | undefined
  readonly now: () => number
}

/** setTimeout fires at once when it is given more than this. */
const MAX_TIMER_MS = 2_147_483_647

/**
 * Joins a caller's signal and a deadline. A signal that aborts with a `TimeoutError`
 * (`AbortSignal.timeout`, or a request deadline) is a deadline too; anything else is the caller's wish.
 */
export function openCallScope({ signal, deadlineAt, now }: CallScopeOptions): CallScope {
  const controller = new AbortController()
  let reason: StopReason | undefined
  const stop = (why: StopReason) => {
    if (reason !== undefined) return
    reason = why
    controller.abort()
  }

  const onAbort = () => stop(isTimeout(signal?.reason) ? 'deadline' : 'aborted')
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })

  const remainingMs = () => (deadlineAt === undefined ? Infinity : deadlineAt - now())
  let timer: NodeJS.Timeout | undefined
  if (deadlineAt !== undefined && reason === undefined) {
    const left = remainingMs()
    if (left > 0) timer = setTimeout(() => stop('deadline'), Math.min(left, MAX_TIMER_MS))
    else stop('deadline')
  }

  return {
    signal: controller.signal,
    stopped: () => reason,
    remainingMs,
    stop,
    close: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

function isTimeout(reason: unknown): boolean {
  return (
    typeof reason === 'object' &&
    reason !== null &&
    (reason as { name?: unknown }).name === 'TimeoutError'
  )
}
