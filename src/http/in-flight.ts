export interface InFlightLimits {
  readonly maxRequests: number
  readonly maxBytes: number
}

/** Who is being served, and whether there is room for one more. */
export interface InFlight {
  /** Takes a place for a body of so many bytes; undefined where there is none. Releases once. */
  readonly enter: (bytes: number) => (() => void) | undefined
  readonly count: () => number
  /** Resolves when nobody is being served, at once if so already. */
  readonly whenIdle: () => Promise<void>
}

/**
 * Bounds requests by number and by the bytes they will have to hold. A request larger than the byte
 * bound is still let in when it would be alone, else it could never be served.
 */
export function createInFlight({ maxRequests, maxBytes }: InFlightLimits): InFlight {
  let requests = 0
  let held = 0
  let waiting: (() => void)[] = []

  function release(bytes: number) {
    requests -= 1
    held -= bytes
    if (requests > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    enter(bytes) {
      if (requests >= maxRequests || (requests > 0 && held + bytes > maxBytes)) return undefined
      requests += 1
      held += bytes
      let released = false
      return () => {
        if (released) return
        released = true
        release(bytes)
      }
    },
    count: () => requests,
    whenIdle() {
      if (requests === 0) return Promise.resolve()
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
