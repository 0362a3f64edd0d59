import { setTimeout as sleep } from 'node:timers/promises'

export interface CallersOptions<Outcome> {
  /** How many call at once, each one request at a time. */
  readonly callers: number
  readonly seconds: number
  /** What a caller does between two calls. */
  readonly pauseMs: number
  /** `turn` counts from 0 for each caller. Must not reject. */
  readonly call: (caller: number, turn: number) => Promise<Outcome>
}

/**
 * A bounded number of callers who wait for their answer before they ask again, as a gateway's
 * connections do. Ends once all that was begun has ended; each caller calls at least once.
 */
export async function runCallers<Outcome>(options: CallersOptions<Outcome>): Promise<Outcome[]> {
  const { callers, seconds, pauseMs, call } = options
  const endAt = performance.now() + seconds * 1_000
  const outcomes: Outcome[] = []
  const run = async (caller: number): Promise<void> => {
    let turn = 0
    do {
      outcomes.push(await call(caller, turn))
      turn += 1
      await sleep(pauseMs)
    } while (performance.now() < endAt)
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)))
  return outcomes
}
