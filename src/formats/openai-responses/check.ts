import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule, type FaultyPlace } from '../exchange-rule.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { knownRoleRule } from '../known-role-rule.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, findExchangeFaults, wireType } from './exchanges.ts'
import { findPendingStart, isOutput, reasoningRuns } from './outputs.ts'

interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly exchanges: readonly FaultyPlace<ExchangeFault>[]
}

const API_REFERENCE = 'OpenAI API reference, Create a response, input'
const FUNCTION_GUIDE = 'OpenAI guide Function calling; enforced with a 400'
const REASONING_GUIDE =
  'OpenAI guide Reasoning models, keeping reasoning items in context; enforced with a 400 (openai-node issue 1567)'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

const exchange = exchangeRule<ExchangeFault>

export const OPENAI_RESPONSES_RULES: readonly WireRule<Context>[] = [
  structureRule('input', `${API_REFERENCE}: a string or an array of items`),
  knownRoleRule('input', API_REFERENCE, ROLES, isMessage),
  {
    id: 'empty-content',
    source: `${API_REFERENCE}: content is required in a message`,
    run: ({ messages }, report) => {
      for (const [index, item] of messages.entries()) {
        if (isRecord(item) && isMessage(item) && isEmpty(item.content)) {
          report(pointer('input', index), 'is a message without content')
        }
      }
    },
  },
  exchange('call-without-result', FUNCTION_GUIDE, 'has no result anywhere after it'),
  exchange('result-without-call', FUNCTION_GUIDE, 'answers no call before it'),
  exchange('duplicate-result', FUNCTION_GUIDE, 'answers a call that has its result already'),
  exchange('duplicate-call-id', FUNCTION_GUIDE, 'has the id of another call before it'),
  exchange('result-of-other-kind', FUNCTION_GUIDE, 'answers a call of another kind'),
  {
    id: 'reasoning-without-item',
    source: REASONING_GUIDE,
    run: ({ messages }, report) => {
      for (const { end } of reasoningRuns(messages)) {
        if (isOutput(messages[end])) continue
        report(pointer('input', end - 1), 'is not followed by what the model made of it')
      }
    },
  },
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkOpenaiResponses(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'input')
  const exchanges = findExchangeFaults(messages, findPendingStart(messages))
  return runRules(OPENAI_RESPONSES_RULES, { payload, messages, exchanges })
}

/** An item without a type, a role or an id can only be meant as a message. */
function isMessage(item: JsonObject): boolean {
  const type = wireType(item)
  return type === 'message' || type === ''
}

function isEmpty(content: JsonValue | undefined): boolean {
  if (isArray(content)) return content.length === 0
  return content === undefined || content === null || content === ''
}
