import type { CompactResult } from '../../conversation/compact-conversation.ts'
import type { RunPorts } from '../../conversation/edit-conversation.ts'
import { type ErrorCode, PrecisError } from '../../engine/errors.ts'
import type { WorkContext } from '../../workers/work.ts'
import { compactInTime } from '../compact-in-time.ts'

/** What a compaction came to, or why there was none. */
export type Attempt =
  | { readonly result: CompactResult }
  | { readonly passed: Exclude<ErrorCode, 'client-closed-request'> }

/**
 * Runs a compaction that must not fail its caller's request: whatever goes wrong, and when the time is
 * over, it is told why, and the caller gets back what it sent. Throws only if the caller left.
 *
 * @param limitMs time for it, from when the work was asked for
 */
export async function attempt(
  limitMs: number,
  { run, metrics, askedAt, onFailure }: WorkContext,
  work: (ports: RunPorts) => Promise<CompactResult>,
): Promise<Attempt> {
  const limit = Math.max(1, limitMs - (performance.now() - askedAt))
  try {
    return { result: await compactInTime({ caller: run.signal, limitMs: limit, metrics }, work) }
  } catch (error) {
    if (!(error instanceof PrecisError)) {
      onFailure(error)
      return { passed: 'internal' }
    }
    if (error.code === 'client-closed-request') throw error
    return { passed: error.code }
  }
}
