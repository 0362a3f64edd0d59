import type { JsonObject } from '../engine/transcript.ts'
import type { FormatId } from '../formats/adapter.ts'
import { isRecord } from '../formats/json.ts'

/**
 * Whether a request goes on from a conversation that the provider has stored. What it holds is only the
 * newest part of the prompt, and results in it may answer calls that cannot be seen here: to drop one
 * of them would break the pair at the provider. Sources: the reference of OpenAI's Responses
 * (`previous_response_id`, `conversation`) and of Anthropic's Messages (`thread`, of the type
 * `continue`).
 */
export function goesOnFromHeld(body: JsonObject, format: FormatId): boolean {
  switch (format) {
    case 'openai-responses':
      return isGiven(body.previous_response_id) || isGiven(body.conversation)
    case 'anthropic-messages':
      return isRecord(body.thread) && body.thread.type !== 'create'
    default:
      return false
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
