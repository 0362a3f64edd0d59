import { inTime } from '../http/in-time.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { type Attempted, type AttemptedRequest, type Attempts, notTried } from './attempts.ts'
import { type FailOpen, failOpen } from './compact-within.ts'
import type { ProxyReason } from './names.ts'
import type { WantedAttempt } from './proxy-work.ts'

export interface ElsewhereOptions {
  readonly workers: Pick<WorkerPool, 'run'>
  readonly deadlineMs: number
}

/** The answer waits for a count; a request that fits must not stand behind those that do not. */
const MAX_COUNT_MS = 1_000

/**
 * Attempts on other threads, each on whichever is free. The text stays here, to be sent as it came whatever
 * becomes of a thread: it takes a copy of it, which is 8 ms for 20 MB.
 */
export function createAttemptsElsewhere(
  text: Buffer,
  request: AttemptedRequest,
  call: FailOpen,
  { workers, deadlineMs }: ElsewhereOptions,
): Attempts {
  const attempt = async (
    wanted: WantedAttempt,
    limitMs: number,
  ): Promise<Attempted | ProxyReason | undefined> => {
    try {
      const { answer, told } = await inTime({ caller: call.signal, limitMs }, (ports) =>
        workers.run(
          'proxy',
          Buffer.from(text),
          { request, wanted, limitMs },
          { ...ports, onFailure: call.onFailure },
        ),
      )
      return told && { ...told, rewritten: told.isRewritten ? answer : undefined }
    } catch (error) {
      return failOpen(error, call)
    }
  }
  const orPassed = (made: Attempted | ProxyReason | undefined): Attempted =>
    typeof made === 'object' ? made : notTried(made ?? 'failed', request.generation)

  return {
    first: async () => orPassed(await attempt({ kind: 'first' }, deadlineMs)),
    count: async () => {
      const made = await attempt({ kind: 'count' }, Math.min(deadlineMs, MAX_COUNT_MS))
      // It has been sent as it came, and fits: what is missing are the numbers.
      return typeof made === 'object' ? made : { ...orPassed(made), note: { outcome: 'unchanged' } }
    },
    harder: async (overflow, ownTokens) => {
      const made = await attempt({ kind: 'harder', overflow, ownTokens }, deadlineMs)
      return typeof made === 'string' ? undefined : made
    },
  }
}
