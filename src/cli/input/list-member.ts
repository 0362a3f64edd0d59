import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ListMember } from '../../formats/conversation-list.ts'

/** Types of content parts that only OpenAI's Responses API has. */
const RESPONSES_PARTS: ReadonlySet<JsonValue | undefined> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
])

/**
 * Under which name a bare list would stand in a request, by its structure: Gemini's contents have
 * `parts`, the Responses API's items have a type of their own, and everything else is messages.
 */
export function listMemberOf(items: readonly JsonValue[]): ListMember {
  for (const item of items) {
    if (!isObject(item)) continue
    if (Array.isArray(item.parts) && item.content === undefined) return 'contents'
    if (isResponsesItem(item)) return 'input'
  }
  return 'messages'
}

function isResponsesItem({ type, role, content }: JsonObject): boolean {
  if (type === 'message') return role !== undefined
  if (typeof type === 'string' && role === undefined && content === undefined) return true
  return (
    Array.isArray(content) &&
    content.some((part) => isObject(part) && RESPONSES_PARTS.has(part.type))
  )
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
