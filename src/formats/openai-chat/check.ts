import type { JsonObject } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'
import { MESSAGE_RULES } from './message-rules.ts'
import type { Context } from './rule-context.ts'

const FUNCTION_GUIDE = 'OpenAI guide Function calling; enforced with a 400'

export const OPENAI_CHAT_RULES: readonly WireRule<Context>[] = [
  structureRule('messages', 'OpenAI API reference, Create chat completion, messages'),
  ...MESSAGE_RULES,
  exchangeRule('call-without-result', 'is not answered by the tool messages right after it'),
  exchangeRule('result-without-call', 'answers no earlier tool call'),
  exchangeRule('result-misplaced', 'does not stand right after the message whose call it answers'),
  exchangeRule('duplicate-result', 'answers a call that has its answer already'),
  exchangeRule('duplicate-call-id', 'has the id of another call of the same message'),
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkOpenaiChat(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'messages')
  const exchanges = findExchangeFaults(messages)
  return runRules(OPENAI_CHAT_RULES, { payload, messages, exchanges })
}

function exchangeRule(id: ExchangeFault, detail: string): WireRule<Context> {
  return {
    id,
    source: FUNCTION_GUIDE,
    run: ({ exchanges }, report) => {
      for (const { fault, pointer: at } of exchanges) if (fault === id) report(at, detail)
    },
  }
}
