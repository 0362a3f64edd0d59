import type { CompactResult } from '../conversation/compact-conversation.ts'
import { compactInSteps } from '../conversation/compact-in-steps.ts'
import type { CompactRequest } from '../conversation/request.ts'
import { type ErrorCode, PrecisError } from '../engine/errors.ts'
import { compactInTime } from '../http/compact-in-time.ts'
import type { AttemptOptions } from './attempts.ts'
import type { ProxyReason } from './names.ts'

/** What a compaction that failed says of the request; the rest are bugs. */
const REASONS: Readonly<Partial<Record<ErrorCode, ProxyReason>>> = {
  'invalid-request': 'other-format',
  'unknown-format': 'other-format',
  'ambiguous-format': 'other-format',
  'invalid-conversation': 'other-format',
  'empty-conversation': 'other-format',
  'too-many-messages': 'too-many-messages',
  'invalid-budget': 'invalid-budget',
  'deadline-exceeded': 'deadline',
  overloaded: 'busy',
}

export interface FailOpen {
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** Told of what nobody expected. */
  readonly onFailure: (error: unknown) => void
}

/** Fails open: whatever goes wrong but the caller's leaving, the request is sent as it came. */
export async function compactWithin(
  request: CompactRequest,
  call: FailOpen,
  {
    conversation,
    metrics,
    deadlineMs,
  }: Pick<AttemptOptions, 'conversation' | 'metrics' | 'deadlineMs'>,
): Promise<CompactResult | ProxyReason> {
  try {
    return await compactInTime({ caller: call.signal, limitMs: deadlineMs, metrics }, (ports) =>
      compactInSteps(request, conversation, ports),
    )
  } catch (error) {
    return failOpen(error, call)
  }
}

/** Why a request is sent as it came. Throws the error itself where the caller has left. */
export function failOpen(error: unknown, { signal, onFailure }: FailOpen): ProxyReason {
  if (signal.aborted) throw error
  const reason = error instanceof PrecisError ? REASONS[error.code] : undefined
  if (reason === undefined) onFailure(error)
  return reason ?? 'failed'
}
