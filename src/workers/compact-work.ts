import type { CompactBody } from '../contract/compact.ts'
import { compactAnswer } from '../conversation/compact-answer.ts'
import { compactRecorded } from '../conversation/compact-recorded.ts'
import type { CompactRequest } from '../conversation/request.ts'
import { encodeJsonWith } from '../http/body/encode-json.ts'
import { postedConversation } from '../http/body/posted-conversation.ts'
import { toFormat } from '../http/known-format.ts'
import { recordCompaction } from '../telemetry/record-compaction.ts'
import { createStageTimer, observeBoth } from '../telemetry/stage-timer.ts'
import { createStageSpans, describeCompaction } from '../telemetry/tracing/spans.ts'
import type { Work } from './work.ts'

/** POST /compact, for a body that follows its schema. */
export const compactWork: Work = async (request, { conversation, metrics, run }) => {
  const timer = createStageTimer()
  const posted = postedConversation(request)
  const body = request.body as CompactBody
  const result = await compactRecorded(
    { ...body, format: toFormat(body.format) } as CompactRequest,
    conversation,
    { ...run, observer: observeBoth(timer, createStageSpans()), itemBytes: posted.itemBytes },
  )
  recordCompaction(metrics, result, timer)
  describeCompaction(result)
  // Encoded here: what was not edited keeps the bytes that it was posted with.
  return encodeJsonWith(
    compactAnswer(result, timer),
    new Map([[result.list, (sink) => posted.write(sink, result.conversation)]]),
  )
}
