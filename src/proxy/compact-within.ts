import type { CompactResult } from '../conversation/compact-conversation.ts'
import { compactInSteps } from '../conversation/compact-in-steps.ts'
import type { CompactRequest } from '../conversation/request.ts'
import { type ErrorCode, PrecisError } from '../engine/errors.ts'
import { compactInTime } from '../http/compact-in-time.ts'
import type { ProxyReason } from './names.ts'
import type { PrepareCall, PrepareOptions } from './prepared.ts'

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
}

/** Fails open: whatever goes wrong but the caller's leaving, the request is sent as it came. */
export async function compactWithin(
  request: CompactRequest,
  call: Pick<PrepareCall, 'signal' | 'onFailure'>,
  { conversation, metrics, deadlineMs }: PrepareOptions,
): Promise<CompactResult | ProxyReason> {
  try {
    return await compactInTime({ caller: call.signal, limitMs: deadlineMs, metrics }, (ports) =>
      compactInSteps(request, conversation, ports),
    )
  } catch (error) {
    if (call.signal.aborted) throw error
    const reason = error instanceof PrecisError ? REASONS[error.code] : undefined
    if (reason === undefined) call.onFailure(error)
    return reason ?? 'failed'
  }
}
