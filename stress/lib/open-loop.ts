/** Requests that come when they come, whatever has become of those before them. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface OpenLoopOptions {
  /** Arrivals a second, in the mean. */
  readonly rate: number
  readonly durationMs: number
  /** 0 to 1, for the gaps between arrivals. */
  readonly random: () => number
  /** `scheduledAt`: on the clock of `performance.now()`, from which its latency counts. Must not reject. */
  readonly send: (scheduledAt: number) => Promise<void>
  /** Most time that those under way get once the last has been sent. */
  readonly drainMs: number
}

export interface OpenLoopResult {
  readonly sent: number
  /** Sent, and not back when the time to drain was over. */
  readonly lost: number
  /** Longest time that a request was sent after its time, in milliseconds: the generator's own fault. */
  readonly latestSend: number
}

/**
 * Arrivals without memory (exponential gaps), as many callers who know nothing of each other make them. A
 * slow answer holds up nobody, so that the time in which nothing is answered is in the latencies: no
 * coordinated omission.
 */
export async function runOpenLoop({
  rate,
  durationMs,
  random,
  send,
  drainMs,
}: OpenLoopOptions): Promise<OpenLoopResult> {
  const underWay = new Set<Promise<void>>()
  const startedAt = performance.now()
  let next = startedAt
  let sent = 0
  let latestSend = 0
  while (next < startedAt + durationMs) {
    const wait = next - performance.now()
    if (wait > 0) await sleep(wait)
    else {
      latestSend = Math.max(latestSend, -wait)
      const answer = send(next).finally(() => underWay.delete(answer))
      underWay.add(answer)
      sent += 1
      next += (-Math.log(1 - random()) * 1_000) / rate
      // Answers and timers get their turn between two that are both late.
      if (sent % BURST === 0) await new Promise(setImmediate)
    }
  }
  const drained = new AbortController()
  await Promise.race([
    Promise.all(underWay),
    sleep(drainMs, undefined, { signal: drained.signal }).catch(() => {}),
  ])
  drained.abort()
  return { sent, lost: underWay.size, latestSend }
}

const BURST = 8
