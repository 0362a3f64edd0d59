import type { JsonObject } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule } from '../exchange-rule.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { CONTENT_RULES } from './content-rules.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'
import type { Context } from './rule-context.ts'

const MISSING_RESULTS = 'AI SDK, convertToLanguageModelPrompt (MissingToolResultsError)'
const PROVIDERS = 'Providers behind the SDK; enforced with a 400'
const APPROVALS = 'AI SDK, collectToolApprovals'

const exchange = exchangeRule<ExchangeFault>

export const AI_SDK_RULES: readonly WireRule<Context>[] = [
  structureRule('messages', 'AI SDK, ModelMessage (modelMessageSchema)'),
  ...CONTENT_RULES,
  exchange(
    'call-without-result',
    MISSING_RESULTS,
    'has no result before the next user or system message',
  ),
  exchange('result-without-call', PROVIDERS, 'answers no earlier tool call'),
  exchange('result-misplaced', PROVIDERS, 'answers a call of an exchange that was closed'),
  exchange('duplicate-result', PROVIDERS, 'answers a call that has its result already'),
  exchange('duplicate-call-id', PROVIDERS, 'has the id of an earlier tool call'),
  exchange(
    'approval-without-call',
    `${APPROVALS} (ToolCallNotFoundForApprovalError)`,
    'asks about a tool call that is not there',
  ),
  exchange(
    'approval-without-request',
    `${APPROVALS} (InvalidToolApprovalError)`,
    'answers a request that is not there',
  ),
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkAiSdk(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'messages')
  const exchanges = findExchangeFaults(messages)
  return runRules(AI_SDK_RULES, { payload, messages, exchanges })
}
