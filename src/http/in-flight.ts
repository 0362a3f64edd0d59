export interface InFlightLimits {
  readonly maxRequests: number
  readonly maxBytes: number
  /** Bodies above this many bytes leave a share of the places and bytes to smaller ones. Default: none do. */
  readonly smallBytes?: number
}

/**
 * Of the places and bytes, for small requests alone: a few large ones must not shut them out. There is none
 * for large ones: with a tenth of the places for them, an instance asked for all that it can do refused 35%
 * of the small requests instead of 1%, since the threads take the cores (`npm run stress:load`).
 */
const SHARE_FOR_SMALL = 0.2

export interface UnannouncedPlace {
  /** Whether there is room for so many bytes more; they are held then. */
  readonly grow: (bytes: number) => boolean
  /** Gives back the place and all that it holds, once. */
  readonly leave: () => void
}

/** Who is being served, and whether there is room for one more. */
export interface InFlight {
  /** Takes a place for a body of so many bytes; undefined where there is none. Releases once. */
  readonly enter: (bytes: number) => (() => void) | undefined
  /**
   * Takes a place for a body whose length nobody knows before it is here: one of those for large ones. It
   * holds what has come of it; undefined where there is no place.
   */
  readonly enterUnannounced: () => UnannouncedPlace | undefined
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

  /** Takes one of that share of the places, for what will hold bytes of that share of them. */
  function takePlace(share: number): UnannouncedPlace | undefined {
    if (requests >= Math.ceil(maxRequests * share)) return undefined
    requests += 1
    let own = 0
    let released = false
    return {
      grow(bytes) {
        if (released) return false
        if (requests > 1 && held + bytes > maxBytes * share) return false
        own += bytes
        held += bytes
        return true
      },
      leave() {
        if (released) return
        released = true
        release(own)
      },
    }
  }

  return {
    enterUnannounced: () => takePlace(1 - SHARE_FOR_SMALL),
    enter(bytes) {
      const place = takePlace(bytes > smallBytes ? 1 - SHARE_FOR_SMALL : 1)
      if (place === undefined || place.grow(bytes)) return place?.leave
      place.leave()
      return undefined
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
