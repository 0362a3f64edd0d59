import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { isArray, isRecord, messagesOf, pointer } from '../json.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, type FaultyPlace, findExchangeFaults } from './exchanges.ts'

interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly exchanges: readonly FaultyPlace[]
}

const API_REFERENCE = 'OpenAI API reference, Create chat completion, messages'
const FUNCTION_GUIDE = 'OpenAI guide Function calling; enforced with a 400'

const ROLES: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

export const OPENAI_CHAT_RULES: readonly WireRule<Context>[] = [
  structureRule(API_REFERENCE),
  {
    id: 'known-role',
    source: API_REFERENCE,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (isRecord(message) && !ROLES.has(message.role)) {
          report(pointer('messages', index, 'role'), 'is not a role of this format')
        }
      }
    },
  },
  {
    id: 'empty-content',
    source: `${API_REFERENCE}: content is required unless an assistant calls tools`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (isRecord(message) && isEmpty(message)) {
          report(pointer('messages', index), 'has neither content nor anything in its place')
        }
      }
    },
  },
  {
    id: 'empty-tool-calls',
    source: `${API_REFERENCE}: an empty tool_calls array is refused as too short`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !isArray(message.tool_calls)) continue
        if (message.tool_calls.length > 0) continue
        report(pointer('messages', index, 'tool_calls'), 'must not be an empty array')
      }
    },
  },
  exchangeRule('call-without-result', 'is not answered by the tool messages right after it'),
  exchangeRule('result-without-call', 'answers no earlier tool call'),
  exchangeRule('result-misplaced', 'does not stand right after the message whose call it answers'),
  exchangeRule('duplicate-result', 'answers a call that has its answer already'),
  exchangeRule('duplicate-call-id', 'has the id of another call of the same message'),
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkOpenaiChat(payload: JsonObject): readonly Violation[] {
  const messages = messagesOf(payload)
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

/** A tool may answer with an empty string; nobody else may say nothing at all. */
function isEmpty(message: JsonObject): boolean {
  const { role, content } = message
  if (isArray(content)) return content.length === 0
  if (role === 'tool' || role === 'function') return typeof content !== 'string'
  if (typeof content === 'string' && content !== '') return false
  if (role !== 'assistant') return true
  const calls = isArray(message.tool_calls) && message.tool_calls.length > 0
  const other = [message.function_call, message.refusal, message.audio].some(
    (value) => value !== undefined && value !== null,
  )
  return !calls && !other
}
