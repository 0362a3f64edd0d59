import { findAnthropicServerToolFaults } from './anthropic-server-tools.ts'
import { findAnthropicThinkingFaults } from './anthropic-thinking.ts'
import { findAnthropicToolFaults } from './anthropic-tools.ts'
import { conversationListOf } from './conversation-list.ts'
import { asArray, asRecord, isBlank } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/** Prompt caching guide: at most four breakpoints over tools, system and messages together. */
const MAX_CACHE_BREAKPOINTS = 4

/**
 * Faults of an Anthropic Messages request.
 *
 * - `no-messages`: "messages: at least one message is required".
 * - `first-message-not-user`: reference, `messages`: the first message must use the user role.
 *   Alternation is no rule: consecutive turns of one role are combined by the server.
 * - `unknown-role`: reference, `messages[].role` is `user` or `assistant`.
 * - `missing-content`: `content` is neither a string nor an array of blocks.
 * - `empty-content`: "all messages must have non-empty content except for the optional final
 *   assistant message".
 * - `empty-text`: "text content blocks must be non-empty" and "... must contain non-whitespace
 *   text", in messages, inside tool results and in the system prompt.
 * - `misplaced-block`: "`tool_use` blocks can only be in `assistant` messages", "`tool_result`
 *   blocks can only be in `user` messages"; thinking is written by the assistant only.
 * - `too-many-cache-breakpoints`: "A maximum of 4 blocks with cache_control may be provided".
 * - the rules of `anthropic-tools.ts`, `anthropic-server-tools.ts`, `anthropic-thinking.ts`.
 */
export function findAnthropicMessagesFaults(payload: WirePayload): Fault[] {
  const messages = conversationListOf(payload)
  const faults = findBlankText(payload.system, '/system')
  if (countBreakpoints(payload) > MAX_CACHE_BREAKPOINTS) {
    faults.push({ rule: 'too-many-cache-breakpoints', pointer: '/messages' })
  }
  if (messages.length === 0) return [...faults, { rule: 'no-messages', pointer: '/messages' }]
  if (asRecord(messages[0]).role === 'assistant') {
    faults.push({ rule: 'first-message-not-user', pointer: '/messages/0' })
  }
  messages.forEach((message, index) => {
    faults.push(...findMessageFaults(message, index, index === messages.length - 1))
  })
  faults.push(...findAnthropicToolFaults(messages))
  faults.push(...findAnthropicServerToolFaults(messages))
  faults.push(...findAnthropicThinkingFaults(messages))
  return faults
}

function findMessageFaults(value: unknown, index: number, isLast: boolean): Fault[] {
  const { role, content } = asRecord(value)
  const pointer = `/messages/${index}/content`
  if (role !== 'user' && role !== 'assistant') {
    return [{ rule: 'unknown-role', pointer: `/messages/${index}/role` }]
  }
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return [{ rule: 'missing-content', pointer }]
  }
  const isEmpty = typeof content === 'string' ? isBlank(content) : content.length === 0
  if (isEmpty) return isLast && role === 'assistant' ? [] : [{ rule: 'empty-content', pointer }]
  return [...findBlankText(content, pointer), ...findMisplacedBlocks(role, content, pointer)]
}

function findBlankText(content: unknown, pointer: string): Fault[] {
  return asArray(content).flatMap((value, position) => {
    const block = asRecord(value)
    const at = `${pointer}/${position}`
    if (block.type === 'text')
      return isBlank(block.text) ? [{ rule: 'empty-text', pointer: at }] : []
    return block.type === 'tool_result' ? findBlankText(block.content, `${at}/content`) : []
  })
}

const ONLY_IN: Readonly<Record<string, string>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
}

function findMisplacedBlocks(role: string, content: unknown, pointer: string): Fault[] {
  return asArray(content).flatMap((value, position) => {
    const home = ONLY_IN[String(asRecord(value).type)]
    if (home === undefined || home === role) return []
    return [{ rule: 'misplaced-block', pointer: `${pointer}/${position}` }]
  })
}

function countBreakpoints(payload: WirePayload): number {
  const blocks = conversationListOf(payload).flatMap((message) =>
    asArray(asRecord(message).content),
  )
  const nested = blocks.flatMap((block) => asArray(asRecord(block).content))
  const places = [...asArray(payload.tools), ...asArray(payload.system), ...blocks, ...nested]
  return places.filter((place) => isSet(asRecord(place).cache_control)).length
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
