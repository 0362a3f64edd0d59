import { conversationListOf, listMemberOf } from '../wire-rules/index.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The messages as objects; a string in the place of the list is the user's one message. */
export function itemsOf(payload: ConversationPayload): JsonObject[] {
  const text = payload[listMemberOf(payload)]
  if (typeof text === 'string') return [{ role: 'user', content: text }]
  return [...conversationListOf(payload)] as JsonObject[]
}

/** The payload with another conversation in the place of its own. */
export function withItems(
  payload: ConversationPayload,
  items: readonly JsonObject[],
): ConversationPayload {
  return { ...payload, [listMemberOf(payload)]: [...items] }
}
