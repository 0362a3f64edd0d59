import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, type FaultyPlace, findExchangeFaults, wireType } from './exchanges.ts'
import { findPendingStart, isOutput, reasoningRuns } from './outputs.ts'

interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly exchanges: readonly FaultyPlace[]
}

const API_REFERENCE = 'OpenAI API reference, Create a response, input'
const FUNCTION_GUIDE = 'OpenAI guide Function calling; enforced with a 400'
const REASONING_GUIDE =
  'OpenAI guide Reasoning models, keeping reasoning items in context; enforced with a 400 (openai-node issue 1567)'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

export const OPENAI_RESPONSES_RULES: readonly WireRule<Context>[] = [
  structureRule('input', `${API_REFERENCE}: a string or an array of items`),
  {
    id: 'known-role',
    source: API_REFERENCE,
    run: ({ messages }, report) => {
      for (const [index, item] of messages.entries()) {
        if (isRecord(item) && isMessage(item) && !ROLES.has(item.role)) {
          report(pointer('input', index, 'role'), 'is not a role of this format')
        }
      }
    },
  },
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
  exchangeRule('call-without-result', 'has no result anywhere after it'),
  exchangeRule('result-without-call', 'answers no call before it'),
  exchangeRule('duplicate-result', 'answers a call that has its result already'),
  exchangeRule('duplicate-call-id', 'has the id of another call before it'),
  exchangeRule('result-of-other-kind', 'answers a call of another kind'),
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

function exchangeRule(id: ExchangeFault, detail: string): WireRule<Context> {
  return {
    id,
    source: FUNCTION_GUIDE,
    run: ({ exchanges }, report) => {
      for (const { fault, pointer: at } of exchanges) if (fault === id) report(at, detail)
    },
  }
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
