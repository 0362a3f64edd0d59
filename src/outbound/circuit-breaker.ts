export type BreakerState = 'closed' | 'open' | 'half-open'

/**
 * What one request says about the server's health. `neutral` is a request that says nothing, such as
 * one that its caller gave up.
 */
export type BreakerVerdict = 'healthy' | 'failing' | 'refused' | 'neutral'

/** Permission to send one request. Must be reported exactly once; further reports are ignored. */
export interface BreakerTicket {
  /** @param holdMs how long the server asked to be left alone; lengthens the pause if it opens */
  readonly report: (verdict: BreakerVerdict, holdMs?: number) => void
}

export interface BreakerOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Consecutive `failing` reports that open it. */
  readonly failureThreshold: number
  /** Pause before a probe is let through. */
  readonly openMs: number
  /** The pause after `refused`: a bad key does not get better by itself in seconds. */
  readonly refusedOpenMs: number
  readonly onState?: (state: BreakerState) => void
}

export interface CircuitBreaker {
  readonly state: () => BreakerState
  /** Whether a request would be refused now. Takes nothing. */
  readonly refuses: () => boolean
  /** undefined when the request must not be sent. In half-open a single ticket is out at a time. */
  readonly enter: () => BreakerTicket | undefined
}

/** A server's wish to be left alone is not taken for longer than this. */
const MAX_HOLD_MS = 60_000

/** Closed until the server fails repeatedly; then open for a while; then one probe decides. */
export function createCircuitBreaker(options: BreakerOptions): CircuitBreaker {
  let current: BreakerState = 'closed'
  let failures = 0
  let reopensAt = 0
  let probing = false
  // Requests that were sent before the last change of state say nothing about the present one.
  let generation = 0

  const become = (state: BreakerState) => {
    current = state
    generation += 1
    failures = 0
    probing = false
    options.onState?.(state)
  }

  const open = (pauseMs: number, holdMs = 0) => {
    reopensAt = options.now() + Math.max(pauseMs, Math.min(holdMs, MAX_HOLD_MS))
    become('open')
  }

  const settle = (verdict: BreakerVerdict, holdMs: number | undefined) => {
    if (current === 'half-open') probing = false
    if (verdict === 'neutral') return
    if (verdict === 'refused') return open(options.refusedOpenMs)
    if (verdict === 'failing') {
      failures += 1
      const tolerated = current === 'half-open' ? 1 : options.failureThreshold
      if (failures >= tolerated) open(options.openMs, holdMs)
      return
    }
    if (current === 'half-open') become('closed')
    else failures = 0
  }

  const resting = () => current === 'open' && options.now() < reopensAt

  return {
    state: () => (current === 'open' && !resting() ? 'half-open' : current),
    refuses: () => resting() || (current === 'half-open' && probing),
    enter: () => {
      if (resting()) return undefined
      if (current === 'open') become('half-open')
      if (current === 'half-open') {
        if (probing) return undefined
        probing = true
      }
      const issued = generation
      let reported = false
      return {
        report: (verdict, holdMs) => {
          if (reported || issued !== generation) return
          reported = true
          settle(verdict, holdMs)
        },
      }
    },
  }
}
