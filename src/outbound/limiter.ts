export interface LimiterOptions {
  readonly maxConcurrency: number
  /** Callers that may wait for a slot. One more is turned away at once. */
  readonly maxQueue: number
  /** Longest wait for a slot. */
  readonly maxWaitMs: number
}

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void

export interface Limiter {
  /**
   * A slot in order of arrival; 'busy' when the queue is full or the wait took too long, 'stopped'
   * when the signal aborted first. Never rejects.
   */
  readonly acquire: (signal: AbortSignal) => Promise<Release | 'busy' | 'stopped'>
  readonly active: () => number
  readonly waiting: () => number
}

export function createLimiter(options: LimiterOptions): Limiter {
  let active = 0
  // A Set keeps the order of arrival and forgets a caller who gave up without a search.
  const queue = new Set<() => void>()

  const occupy = (): Release => {
    active += 1
    let held = true
    return () => {
      if (!held) return
      held = false
      active -= 1
      const next = queue.values().next()
      if (!next.done) next.value()
    }
  }

  const wait = (signal: AbortSignal): Promise<Release | 'busy' | 'stopped'> =>
    new Promise((resolve) => {
      const settle = (outcome: Release | 'busy' | 'stopped') => {
        queue.delete(admit)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        resolve(outcome)
      }
      const admit = () => settle(occupy())
      const onAbort = () => settle('stopped')
      const timer = setTimeout(() => settle('busy'), options.maxWaitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      queue.add(admit)
    })

  return {
    acquire: (signal) => {
      if (signal.aborted) return Promise.resolve('stopped')
      if (active < options.maxConcurrency) return Promise.resolve(occupy())
      if (queue.size >= options.maxQueue) return Promise.resolve('busy')
      return wait(signal)
    },
    active: () => active,
    waiting: () => queue.size,
  }
}
