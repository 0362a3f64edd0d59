import type { JsonValue } from '../engine/transcript.ts'
import { itemsOf } from '../formats/conversation-list.ts'
import type { RunPorts } from './edit-conversation.ts'
import type { ReadConversation } from './read-conversation.ts'

/** Of each message as JSON, with the comma or bracket after it. */
export function byteSizes(
  { payload, adapter }: ReadConversation,
  given: RunPorts['itemBytes'],
): readonly number[] {
  const sizes = given?.() ?? itemsOf(payload, adapter.list).map(jsonSize)
  return sizes.map((size) => size + 1)
}

export function jsonSize(item: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(item))
}
