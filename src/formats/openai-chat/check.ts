import type { JsonObject } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule } from '../exchange-rule.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'
import { MESSAGE_RULES } from './message-rules.ts'
import type { Context } from './rule-context.ts'

const FUNCTION_GUIDE = 'OpenAI guide Function calling; enforced with a 400'

const exchange = exchangeRule<ExchangeFault>

export const OPENAI_CHAT_RULES: readonly WireRule<Context>[] = [
  structureRule('messages', 'OpenAI API reference, Create chat completion, messages'),
  ...MESSAGE_RULES,
  exchange(
    'call-without-result',
    FUNCTION_GUIDE,
    'is not answered by the tool messages right after it',
  ),
  exchange('result-without-call', FUNCTION_GUIDE, 'answers no earlier tool call'),
  exchange(
    'result-misplaced',
    FUNCTION_GUIDE,
    'does not stand right after the message whose call it answers',
  ),
  exchange('duplicate-result', FUNCTION_GUIDE, 'answers a call that has its answer already'),
  exchange('duplicate-call-id', FUNCTION_GUIDE, 'has the id of another call of the same message'),
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkOpenaiChat(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'messages')
  const exchanges = findExchangeFaults(messages)
  return runRules(OPENAI_CHAT_RULES, { payload, messages, exchanges })
}
