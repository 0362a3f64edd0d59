import type { JsonObject } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule } from '../exchange-rule.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { breakpointsOf } from './breakpoints.ts'
import { CACHE_RULES } from './cache-rules.ts'
import { CALL_ID_RULE } from './call-id-rule.ts'
import { CONTENT_RULES } from './content-rules.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'
import { ROLE_RULES } from './role-rules.ts'
import type { Context } from './rule-context.ts'
import { THINKING_RULES } from './thinking-rules.ts'
import { turnsOf } from './turns.ts'

const TOOL_GUIDE = 'Anthropic, Handle tool calls; enforced with a 400'
const SERVER_TOOLS =
  'Anthropic, Server tools; enforced with a 400 (claude-code issues 64026, 64383)'

const exchange = exchangeRule<ExchangeFault>

export const ANTHROPIC_MESSAGES_RULES: readonly WireRule<Context>[] = [
  structureRule('messages', 'Anthropic API reference, Create a message, messages'),
  ...ROLE_RULES,
  ...CONTENT_RULES,
  CALL_ID_RULE,
  exchange('call-without-result', TOOL_GUIDE, 'has no result in the user turn after it'),
  exchange('result-without-call', TOOL_GUIDE, 'answers no earlier tool_use'),
  exchange('result-misplaced', TOOL_GUIDE, 'answers a tool_use that is not in the turn before'),
  exchange('duplicate-result', TOOL_GUIDE, 'answers a tool_use that has its result already'),
  exchange('duplicate-call-id', TOOL_GUIDE, 'has the id of an earlier tool_use'),
  exchange('results-first', TOOL_GUIDE, 'stands after another block of its user turn'),
  exchange('server-call-without-result', SERVER_TOOLS, 'has no result before the turn ends'),
  exchange(
    'server-result-without-call',
    SERVER_TOOLS,
    'has no server tool use before it in its turn',
  ),
  ...THINKING_RULES,
  ...CACHE_RULES,
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkAnthropicMessages(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'messages')
  const turns = turnsOf(messages)
  const exchanges = findExchangeFaults(turns)
  const breakpoints = breakpointsOf(payload, turns)
  return runRules(ANTHROPIC_MESSAGES_RULES, { payload, messages, turns, exchanges, breakpoints })
}
