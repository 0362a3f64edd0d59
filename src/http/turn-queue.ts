/** Lets work onto the event loop one piece at a time. */
export interface TurnQueue {
  /** Resolves, first come first served, when it is the caller's turn. */
  readonly take: () => Promise<void>
}

/**
 * Looks at the network between two pieces of work. At one look libuv accepts one new connection
 * (libuv/libuv#3696): with a single look, callers and probes on new connections would come in no faster
 * than work is done. A look at which there is nothing takes some microseconds.
 */
const LOOKS = 16

/**
 * Node.js handles all that has come in one turn of its event loop: with a hundred requests there, each of
 * some milliseconds, whatever comes next, a probe or a refusal of a millisecond, waits for all of them. Here
 * at most one piece of work starts between two looks at the network.
 */
export function createTurnQueue(): TurnQueue {
  const waiting: (() => void)[] = []
  let isTaken = false
  let looks = 0

  const begin = (): void => {
    isTaken = true
    looks = LOOKS
    // Before the work: what is done in this turn ends before the next look.
    setImmediate(look)
  }

  const look = (): void => {
    looks -= 1
    if (looks > 0) {
      setImmediate(look)
      return
    }
    isTaken = false
    const next = waiting.shift()
    if (next === undefined) return
    begin()
    next()
  }

  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve))
      begin()
      return Promise.resolve()
    },
  }
}
