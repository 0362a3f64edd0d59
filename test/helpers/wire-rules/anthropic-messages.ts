import { findAnthropicCacheFaults } from './anthropic-cache.ts'
import { findAnthropicIdFaults } from './anthropic-ids.ts'
import { findAnthropicServerToolFaults } from './anthropic-server-tools.ts'
import { findAnthropicSystemFaults } from './anthropic-system.ts'
import { findAnthropicThinkingFaults } from './anthropic-thinking.ts'
import { findAnthropicToolFaults } from './anthropic-tools.ts'
import { isDirective, placedBlocks, turnsOf } from './anthropic-turns.ts'
import { conversationListOf } from './conversation-list.ts'
import { asArray, asRecord, isBlank, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/** SDK, `MessageParam` and `SystemMessageParam`: whoever may speak among the messages. */
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

/**
 * Faults of an Anthropic Messages request.
 *
 * - `no-messages`: "messages: at least one message is required".
 * - `first-role`: reference, `messages`: the first message must use the user role, or is a
 *   compaction "that a later request sends back first in `messages`" (SDK,
 *   `BetaCompactionConfig`); one without a summary is a no-op. Alternation is no rule: consecutive
 *   turns of one role are combined by the server.
 * - `known-role`: a role that is none of the three.
 * - `empty-content`: "all messages must have non-empty content except for the optional final
 *   assistant message", and "system content must contain at least one block", unless the message
 *   only carries a setting.
 * - `empty-text`: "text content blocks must be non-empty" and "... must contain non-whitespace
 *   text", in messages, inside tool results and in the system prompt; a string is one such block.
 *   Of a compaction, "content can't be empty" (vercel/ai issue 13335); null is a failed one.
 * - `block-role`: "`tool_use` blocks can only be in `assistant` messages", "`tool_result`
 *   blocks can only be in `user` messages"; thinking is written by the assistant only; "role
 *   'system' supports text, tool_addition, and tool_removal blocks only".
 * - the rules of the other `anthropic-*.ts`.
 */
export function findAnthropicMessagesFaults(payload: WirePayload): Fault[] {
  const messages = conversationListOf(payload)
  const faults = [
    ...(Array.isArray(payload.system) ? findBlankText(payload.system, '/system') : []),
    ...findAnthropicCacheFaults(payload),
  ]
  if (messages.length === 0) return [...faults, { rule: 'no-messages', pointer: '/messages' }]
  const first = asRecord(messages[0])
  if (first.role === 'assistant' && !beginsWithCompaction(first)) {
    faults.push({ rule: 'first-role', pointer: '/messages/0' })
  }
  messages.forEach((message, index) => {
    faults.push(...findMessageFaults(asRecord(message), index, index === messages.length - 1))
  })
  const turns = turnsOf(messages)
  return [
    ...faults,
    ...findAnthropicSystemFaults(messages),
    ...findAnthropicToolFaults(turns),
    ...findAnthropicServerToolFaults(turns),
    ...findAnthropicThinkingFaults(turns),
    ...findAnthropicIdFaults(turns),
  ]
}

function beginsWithCompaction({ content }: JsonRecord): boolean {
  const { type, content: summary } = asRecord(asArray(content)[0])
  return type === 'compaction' && typeof summary === 'string' && summary !== ''
}

function findMessageFaults(message: JsonRecord, index: number, isLast: boolean): Fault[] {
  const { role, content } = message
  const pointer = `/messages/${index}/content`
  if (!ROLES.has(role)) return [{ rule: 'known-role', pointer: `/messages/${index}/role` }]
  const isList = typeof content === 'string' || Array.isArray(content)
  if (!isList || content.length === 0) {
    const mayBeEmpty = (isList && isLast && role === 'assistant') || isDirective(message)
    return mayBeEmpty ? [] : [{ rule: 'empty-content', pointer }]
  }
  return [...findBlankText(content, pointer), ...findMisplacedBlocks(role, content, pointer)]
}

function findBlankText(content: unknown, pointer: string): Fault[] {
  return placedBlocks(content, pointer).flatMap(({ block, pointer: at }) => {
    const isEmpty =
      (block.type === 'text' && isBlank(block.text)) ||
      (block.type === 'compaction' && block.content === '')
    if (isEmpty) return [{ rule: 'empty-text', pointer: at }]
    const isNested = block.type === 'tool_result' && Array.isArray(block.content)
    return isNested ? findBlankText(block.content, `${at}/content`) : []
  })
}

const HOMES: Readonly<Record<string, readonly string[]>> = {
  tool_use: ['assistant'],
  thinking: ['assistant'],
  redacted_thinking: ['assistant'],
  tool_result: ['user'],
  image: ['user', 'assistant'],
  document: ['user', 'assistant'],
}

function findMisplacedBlocks(role: unknown, content: unknown, pointer: string): Fault[] {
  return placedBlocks(content, pointer).flatMap(({ block, pointer: at }) => {
    const homes = HOMES[String(block.type)]
    return homes === undefined || homes.includes(String(role))
      ? []
      : [{ rule: 'block-role', pointer: at }]
  })
}
