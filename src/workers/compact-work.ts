import type { CompactBody } from '../contract/compact.ts'
import { compactAnswer } from '../conversation/compact-answer.ts'
import { compactRecorded } from '../conversation/compact-recorded.ts'
import type { CompactRequest } from '../conversation/request.ts'
import { encodeJsonWith } from '../http/body/encode-json.ts'
import { postedConversation } from '../http/body/posted-conversation.ts'
import { toFormat } from '../http/known-format.ts'
import { watchCompaction } from '../telemetry/watch-compaction.ts'
import type { Work } from './work.ts'

/** POST /compact, for a body that follows its schema. */
export const compactWork: Work<undefined, undefined> = async (
  request,
  _ask,
  { conversation, metrics, run },
) => {
  const watch = watchCompaction(metrics)
  const posted = postedConversation(request)
  const body = request.body as CompactBody
  const result = await compactRecorded(
    { ...body, format: toFormat(body.format) } as CompactRequest,
    conversation,
    { ...run, observer: watch.observer, itemBytes: posted.itemBytes },
  )
  watch.done(result)
  // Encoded here: what was not edited keeps the bytes that it was posted with.
  const answer = encodeJsonWith(
    compactAnswer(result, watch.timer),
    new Map([[result.list, (sink) => posted.write(sink, result.conversation)]]),
  )
  return { answer, told: undefined }
}
