import { conversationListOf } from './conversation-list.ts'
import { isRecord, type JsonRecord } from './json.ts'
import { type Item, readItems } from './openai-responses-items.ts'
import { findResponsesReasoningFaults } from './openai-responses-reasoning.ts'
import { findResponsesToolFaults } from './openai-responses-tools.ts'
import type { Fault, WirePayload } from './types.ts'

// OpenAI API reference, "Create a model response", `EasyInputMessage` under `input`.
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

/**
 * Faults of an OpenAI Responses request.
 *
 * - `structure`: reference, `input`: a string, or an array of items.
 * - `known-role`: reference, `role` of an input message.
 * - `empty-content`: reference, `content` of an input message is required; this service promises no
 *   empty message (P2).
 * - the rules of `openai-responses-tools.ts` and `openai-responses-reasoning.ts`.
 */
export function findOpenaiResponsesFaults(payload: WirePayload): Fault[] {
  const { input } = payload
  if (typeof input === 'string') return []
  if (!Array.isArray(input)) return [{ rule: 'structure', pointer: '/input' }]
  const list = conversationListOf(payload)
  const items = readItems(list)
  return [
    ...list.flatMap((value, index) =>
      isRecord(value) ? [] : [{ rule: 'structure', pointer: `/input/${index}` }],
    ),
    ...items.flatMap(findMessageFaults),
    ...findResponsesToolFaults(items),
    ...findResponsesReasoningFaults(items),
  ]
}

function findMessageFaults({ kind, index, value }: Item): Fault[] {
  if (kind !== 'message') return []
  const faults: Fault[] = []
  if (!ROLES.has(value.role)) faults.push({ rule: 'known-role', pointer: `/input/${index}/role` })
  if (isEmpty(value)) faults.push({ rule: 'empty-content', pointer: `/input/${index}/content` })
  return faults
}

function isEmpty({ content }: JsonRecord): boolean {
  if (typeof content === 'string' || Array.isArray(content)) return content.length === 0
  return content === undefined || content === null
}
