import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import type { RunPorts } from '../../conversation/edit-conversation.ts'
import { type ErrorCode, PrecisError } from '../../engine/errors.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { compactInTime } from '../compact-in-time.ts'

/** What a compaction came to, or why there was none. */
export type Attempt =
  | { readonly result: CompactResult }
  | { readonly passed: Exclude<ErrorCode, 'client-closed-request'> }

export interface AttemptOptions {
  readonly metrics: Metrics
  /** Time from the arrival of the request to its answer. */
  readonly limitMs: number
}

/**
 * Runs a compaction that must not fail its caller's request: whatever goes wrong, and when the time is
 * over, it is told why, and the caller gets back what it sent. Throws only if the caller left.
 */
export async function attempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, limitMs }: AttemptOptions,
  work: (ports: RunPorts) => Promise<CompactResult>,
): Promise<Attempt> {
  const limit = Math.max(1, limitMs - reply.elapsedTime)
  try {
    return {
      result: await compactInTime({ caller: request.signal, limitMs: limit, metrics }, work),
    }
  } catch (error) {
    if (!(error instanceof PrecisError)) {
      request.log.error({ err: error }, 'request failed')
      return { passed: 'internal' }
    }
    if (error.code === 'client-closed-request') throw error
    return { passed: error.code }
  }
}
