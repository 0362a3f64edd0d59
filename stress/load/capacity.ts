/** How many requests of the mix a service answers in a second when it is never without work. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Callers of the next level, over those of the one before. */
const STEP = 2
const MOST_CALLERS = 64

/** What a level must bring over the best before it; one short one may have met many large requests. */
const LEAST_GAIN = 1.05
const LEVELS_WITHOUT_GAIN = 2

export interface Level {
  readonly callers: number
  /** Answered with 200, each second. */
  readonly rate: number
}

/**
 * Closed loops of more and more callers, each sending its next request when the last is answered, until
 * more callers bring no more answers. The best of the levels is the capacity. `send`: one request, and
 * whether it was answered with 200.
 */
export async function measureCapacity(
  send: () => Promise<boolean>,
  levelMs: number,
): Promise<readonly Level[]> {
  const levels: Level[] = []
  let best = 0
  let idle = 0
  for (let callers = 1; callers <= MOST_CALLERS; callers *= STEP) {
    const rate = await measureLevel(send, callers, levelMs)
    levels.push({ callers, rate })
    idle = rate < best * LEAST_GAIN ? idle + 1 : 0
    if (idle === LEVELS_WITHOUT_GAIN) break
    best = Math.max(best, rate)
  }
  return levels
}

async function measureLevel(
  send: () => Promise<boolean>,
  callers: number,
  levelMs: number,
): Promise<number> {
  let answered = 0
  let running = true
  const call = async (): Promise<void> => {
    while (running) {
      if (await send()) answered += 1
    }
  }
  const startedAt = performance.now()
  const calls = Array.from({ length: callers }, call)
  await sleep(levelMs)
  running = false
  // Until the last is answered: the large ones would else be missing from what was done in the time.
  await Promise.all(calls)
  return (answered * 1_000) / (performance.now() - startedAt)
}

export function capacityOf(levels: readonly Level[]): number {
  return Math.max(...levels.map(({ rate }) => rate))
}
