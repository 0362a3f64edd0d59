export interface InFlightLimits {
  readonly maxRequests: number
  readonly maxBytes: number
  /** Bodies above this many bytes are large: either kind leaves a share to the other. Default: none is. */
  readonly smallBytes?: number
}

/** Of the places and bytes, for small requests alone: a few large ones must not shut them out. */
const SHARE_FOR_SMALL = 0.2

/**
 * Of the places, for large requests alone, which are worked on elsewhere: many small ones that wait for
 * their turn must not leave those threads idle.
 */
const SHARE_FOR_LARGE = 0.1

/** Who is being served, and whether there is room for one more. */
export interface InFlight {
  /** Takes a place for a body of so many bytes; undefined where there is none. Releases once. */
  readonly enter: (bytes: number) => (() => void) | undefined
  /** Takes so many bytes more for a request that has its place; undefined where there is no room. */
  readonly hold: (bytes: number) => (() => void) | undefined
  readonly count: () => number
  /** Bytes that are held by those being served. */
  readonly bytes: () => number
  /** Resolves when nobody is being served, at once if so already. */
  readonly whenIdle: () => Promise<void>
}

/**
 * Bounds requests by number and by the bytes they will have to hold. A request larger than the byte
 * bound is still let in when it would be alone, else it could never be served.
 */
export function createInFlight({
  maxRequests,
  maxBytes,
  smallBytes = Number.POSITIVE_INFINITY,
}: InFlightLimits): InFlight {
  const most = {
    small: placesOf(maxRequests, smallBytes === Number.POSITIVE_INFINITY ? 0 : SHARE_FOR_LARGE),
    large: placesOf(maxRequests, SHARE_FOR_SMALL),
  }
  const taken = { small: 0, large: 0 }
  let requests = 0
  let held = 0
  let waiting: (() => void)[] = []

  function release(kind: keyof typeof taken, bytes: number) {
    taken[kind] -= 1
    requests -= 1
    held -= bytes
    if (requests > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    enter(bytes) {
      const kind = bytes > smallBytes ? 'large' : 'small'
      if (requests >= maxRequests || taken[kind] >= most[kind]) return undefined
      const mostBytes = kind === 'large' ? maxBytes * (1 - SHARE_FOR_SMALL) : maxBytes
      if (requests > 0 && held + bytes > mostBytes) return undefined
      taken[kind] += 1
      requests += 1
      held += bytes
      let released = false
      return () => {
        if (released) return
        released = true
        release(kind, bytes)
      }
    },
    hold(bytes) {
      if (requests > 1 && held + bytes > maxBytes) return undefined
      held += bytes
      let released = false
      return () => {
        if (released) return
        released = true
        held -= bytes
      }
    },
    count: () => requests,
    bytes: () => held,
    whenIdle() {
      if (requests === 0) return Promise.resolve()
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}

/** At least one: a bound of one place serves either kind. */
function placesOf(maxRequests: number, shareForOthers: number): number {
  return Math.ceil(maxRequests * (1 - shareForOthers))
}
