import { checkRecording } from '../decide/replay/check-recording.ts'
import { createRecorder } from '../decide/replay/record.ts'
import type { Recording } from '../decide/replay/recording.ts'
import { createReplay } from '../decide/replay/replay.ts'
import { type CompactResult, compactConversation } from './compact-conversation.ts'
import type { RunPorts } from './edit-conversation.ts'
import type { CompactRequest } from './request.ts'
import type { ConversationServices } from './services.ts'
import { createStepMemo } from './steps/step-memo.ts'

export interface RecordedResult extends CompactResult {
  /** What the models said, where the request wants it recorded. */
  readonly recording?: Recording
  /** Decided by recorded answers: no model was asked. */
  readonly replayed?: true
}

/**
 * A compaction whose models' answers are recorded, replayed, or both, as the request says. Throws
 * PrecisError for a recording that breaks its rules.
 */
export async function compactRecorded(
  request: CompactRequest,
  services: ConversationServices,
  run: RunPorts,
): Promise<RecordedResult> {
  const { record = false, replay } = request
  if (!record && replay === undefined) return compactConversation(request, services, run)
  if (replay !== undefined) checkRecording(replay, '/replay')
  const models = replay === undefined ? services : createReplay(replay)
  const recorder = record ? createRecorder(models) : undefined
  const { decide, summarize } = recorder?.ports ?? models
  const result = await compactConversation(
    request,
    // A caller's answers must not become what others are given; what is recalled, no model answers.
    { ...services, decide, summarize, stepMemo: createStepMemo(0) },
    run,
  )
  return {
    ...result,
    ...(recorder !== undefined && { recording: recorder.recording() }),
    ...(replay !== undefined && { replayed: true }),
  }
}
