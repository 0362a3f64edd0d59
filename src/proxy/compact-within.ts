import type { CompactResult } from '../conversation/compact-conversation.ts'
import { compactInSteps } from '../conversation/compact-in-steps.ts'
import type { CompactRequest } from '../conversation/request.ts'
import { type ErrorCode, PrecisError } from '../engine/errors.ts'
import { workTimeMs } from '../http/plugins/deadline.ts'
import { recordCompaction } from '../telemetry/record-compaction.ts'
import { createStageTimer } from '../telemetry/stage-timer.ts'
import { openCompactionDeadline } from './compaction-deadline.ts'
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
}

/** Fails open: whatever goes wrong but the caller's leaving, the request is sent as it came. */
export async function compactWithin(
  request: CompactRequest,
  call: Pick<PrepareCall, 'signal' | 'onFailure'>,
  { conversation, metrics, deadlineMs }: PrepareOptions,
): Promise<CompactResult | ProxyReason> {
  const deadline = openCompactionDeadline(call.signal, deadlineMs, workTimeMs(deadlineMs))
  const timer = createStageTimer()
  try {
    const { signal, modelSignal, modelDeadlineAt } = deadline
    const run = { signal, modelSignal, modelDeadlineAt, observer: timer }
    const work = compactInSteps(request, conversation, run)
    const result = await Promise.race([work, deadline.aborted])
    recordCompaction(metrics, result, timer)
    return result
  } catch (error) {
    if (call.signal.aborted) throw error
    if (deadline.isOver()) return 'deadline'
    const reason = error instanceof PrecisError ? REASONS[error.code] : undefined
    if (reason === undefined) call.onFailure(error)
    return reason ?? 'failed'
  } finally {
    deadline.close()
  }
}
