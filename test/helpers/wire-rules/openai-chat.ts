import { conversationListOf } from './conversation-list.ts'
import { asArray, asRecord, isRecord, type JsonRecord } from './json.ts'
import { findOpenaiNameFaults, findOpenaiPartFaults } from './openai-chat-parts.ts'
import { findOpenaiToolFaults } from './openai-chat-tools.ts'
import type { Fault, WirePayload } from './types.ts'

// OpenAI API reference, "Create chat completion", the union of message types under `messages`.
const ROLES: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

/**
 * Faults of an OpenAI chat completions request.
 *
 * - `no-messages`: "[] is too short - 'messages'", the API's answer to an empty list.
 * - `known-role`: the role is not in the reference's union of message types.
 * - `empty-content`: the reference requires `content` for every role but two: the assistant, when
 *   `tool_calls` or `function_call` is given (in practice also `refusal` or `audio`), and the
 *   deprecated function message, whose `content` is a string or null. An empty array is refused for
 *   being too short. An empty string says nothing, and this service promises no empty message (P2);
 *   a tool may really print nothing, so '' stays legal for `tool`, and for an assistant message that
 *   carries calls.
 * - `empty-tool-calls`: "[] is too short - 'messages.N.tool_calls'".
 * - the rules of `openai-chat-parts.ts`, and those of `openai-chat-tools.ts` on pairs.
 */
export function findOpenaiChatFaults(payload: WirePayload): Fault[] {
  const messages = conversationListOf(payload)
  if (messages.length === 0) return [{ rule: 'no-messages', pointer: '/messages' }]
  return [...messages.flatMap(findMessageFaults), ...findOpenaiToolFaults(messages)]
}

function findMessageFaults(value: unknown, index: number): Fault[] {
  const message = asRecord(value)
  if (!ROLES.has(message.role)) {
    return [{ rule: 'known-role', pointer: `/messages/${index}/role` }]
  }
  const faults = [...findOpenaiPartFaults(message, index), ...findOpenaiNameFaults(message, index)]
  if (saysNothing(message)) {
    faults.push({ rule: 'empty-content', pointer: `/messages/${index}/content` })
  }
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) {
    faults.push({ rule: 'empty-tool-calls', pointer: `/messages/${index}/tool_calls` })
  }
  return faults
}

function saysNothing(message: JsonRecord): boolean {
  const { role, content } = message
  if (role === 'function') return false
  const speaksOtherwise = role === 'assistant' && carriesSomethingElse(message)
  if (typeof content === 'string') return content === '' && role !== 'tool' && !speaksOtherwise
  return Array.isArray(content) ? content.every(isEmptyText) : !speaksOtherwise
}

function isEmptyText(part: unknown): boolean {
  return isRecord(part) && part.type === 'text' && part.text === ''
}

function carriesSomethingElse(message: JsonRecord): boolean {
  return (
    asArray(message.tool_calls).length > 0 ||
    isRecord(message.function_call) ||
    typeof message.refusal === 'string' ||
    isRecord(message.audio)
  )
}
