import type { CheckBody } from '../contract/check.ts'
import { type CheckRequest, checkConversation } from '../conversation/check-conversation.ts'
import { toFormat } from '../http/known-format.ts'
import type { Work } from './work.ts'

/** POST /check, for a body that follows its schema. */
export const checkWork: Work<undefined, undefined> = (
  { body },
  _ask,
  { conversation, metrics },
) => {
  const request = body as CheckBody
  const result = checkConversation(
    { ...request, format: toFormat(request.format) } as CheckRequest,
    conversation,
  )
  metrics.checks.inc({ format: result.format, valid: result.valid ? 'true' : 'false' })
  return { answer: Buffer.from(JSON.stringify(result)), told: undefined }
}
