import { CheckBodySchema } from '../contract/check.ts'
import {
  type CheckRequest,
  type CheckResult,
  checkConversation,
} from '../conversation/check-conversation.ts'
import type { CheckInput } from './conversation-types.ts'
import { requestValidator } from './request-validator.ts'

const validate = /* @__PURE__ */ requestValidator(CheckBodySchema)

/**
 * Which of its provider's wire rules a conversation breaks, each with its place and source.
 *
 * @throws PrecisError for a conversation that is missing, empty, or of no one format
 */
export function check(request: CheckInput): CheckResult {
  validate(request)
  return checkConversation(request as CheckRequest, { maxMessages: Number.POSITIVE_INFINITY })
}
