import { conversationListOf } from './conversation-list.ts'
import { asRecord } from './json.ts'
import { findNeurolinkToolFaults } from './neurolink-tools.ts'
import type { Fault, WirePayload } from './types.ts'

// NeuroLink's ChatMessage: `role`.
const ROLES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'system',
  'tool_call',
  'tool_result',
])

/**
 * Faults of a NeuroLink conversation, a list of ChatMessage. An empty list is legal.
 *
 * - `unknown-role`: not one of the five roles of ChatMessage. There is no `tool` among them.
 * - `missing-message-id`, `duplicate-message-id`: `id` is a required string, and NeuroLink finds
 *   messages by it (summary pointers, tags, skill pins).
 * - `empty-content`: `content` must say something, except on a tool call, whose arguments speak.
 *   Text is a string; an array of parts is what its multimodal messages carry.
 * - the pairing rules of `neurolink-tools.ts`.
 */
export function findNeurolinkFaults(payload: WirePayload): Fault[] {
  const seen = new Set<unknown>()
  const faults: Fault[] = []
  const messages = conversationListOf(payload)
  messages.forEach((value, index) => {
    const { id, role, content } = asRecord(value)
    const pointer = `/messages/${index}`
    if (!ROLES.has(role)) faults.push({ rule: 'unknown-role', pointer: `${pointer}/role` })
    if (typeof id !== 'string' || id === '') {
      faults.push({ rule: 'missing-message-id', pointer: `${pointer}/id` })
    } else if (seen.has(id)) {
      faults.push({ rule: 'duplicate-message-id', pointer: `${pointer}/id` })
    }
    seen.add(id)
    if (ROLES.has(role) && role !== 'tool_call' && !saysSomething(content)) {
      faults.push({ rule: 'empty-content', pointer: `${pointer}/content` })
    }
  })
  return [...faults, ...findNeurolinkToolFaults(messages)]
}

function saysSomething(content: unknown): boolean {
  return (typeof content === 'string' || Array.isArray(content)) && content.length > 0
}
