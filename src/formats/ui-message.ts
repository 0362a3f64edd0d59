import type { Fault } from '../engine/errors.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { itemsOf } from './conversation-list.ts'
import { isArray, isRecord, pointer } from './json.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant'])

/**
 * The AI SDK's UIMessage: what a page shows, with `parts` in place of content. It is no message that
 * any model is sent; the SDK makes those of it, tool by tool, with what only the caller has.
 */
export function isUiMessage(message: JsonValue | undefined): message is JsonObject {
  if (!isRecord(message) || !ROLES.has(message.role) || !isArray(message.parts)) return false
  const hasId = typeof message.id === 'string'
  // Up to version 4 they had their text in `content` too.
  if (message.content !== undefined && !hasId) return false
  const [first] = message.parts
  return first === undefined ? hasId : isRecord(first) && typeof first.type === 'string'
}

export function uiMessageFault(index: number): Fault {
  return {
    pointer: pointer('messages', index),
    rule: 'ui-message',
    detail: "is a UIMessage: convert the messages with the AI SDK's convertToModelMessages first",
  }
}

/** The fault of the first such message. */
export function findUiMessage(payload: JsonObject): Fault | undefined {
  const index = itemsOf(payload, 'messages').findIndex(isUiMessage)
  return index === -1 ? undefined : uiMessageFault(index)
}
