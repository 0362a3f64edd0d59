import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord } from '../../formats/json.ts'

/** Where a text stands: the content of a message, or the `text` of one block of it. */
export interface TextSlot {
  readonly message: number
  readonly block: number | undefined
}

/**
 * The slots in which LiteLLM finds the texts of chat messages, in its order: every content that is a
 * string, and the `text` of every block that has one (`llms/openai/chat/guardrail_translation`).
 */
export function textSlots(messages: readonly JsonValue[]): TextSlot[] {
  return messages.flatMap((item, message): TextSlot[] => {
    const content = isRecord(item) ? item.content : undefined
    if (typeof content === 'string') return [{ message, block: undefined }]
    if (!isArray(content)) return []
    return content.flatMap((value, block) =>
      isRecord(value) && typeof value.text === 'string' ? [{ message, block }] : [],
    )
  })
}

/** Undefined where the message has no such slot any more. */
export function textAt(
  messages: readonly JsonValue[],
  { message, block }: TextSlot,
): string | undefined {
  const item = messages[message]
  const content = isRecord(item) ? item.content : undefined
  const text = block === undefined ? content : blockText(content, block)
  return typeof text === 'string' ? text : undefined
}

function blockText(content: JsonValue | undefined, block: number): JsonValue | undefined {
  const value = isArray(content) ? content[block] : undefined
  return isRecord(value) ? value.text : undefined
}

/** Number of blocks of a message's content: a rewriting that merges blocks has no slot to go to. */
export function blockCount(item: JsonValue | undefined): number | undefined {
  const content = (item as JsonObject | undefined)?.content
  return isArray(content) ? content.length : undefined
}
