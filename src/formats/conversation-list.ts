import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { isArray } from './json.ts'

/** Members of a request under which the formats keep their conversation. */
export const LIST_MEMBERS = ['messages', 'input', 'contents'] as const

export type ListMember = (typeof LIST_MEMBERS)[number]

/** Whether the payload has its conversation there, in a shape that a format can have. */
export function hasList(payload: JsonObject, list: ListMember): boolean {
  return isArray(payload[list]) || (list === 'input' && typeof payload[list] === 'string')
}

/**
 * The messages, items or contents of a payload, oldest first; empty where there is no list. An
 * `input` that is a string is the user's one message (OpenAI API reference, *Create a response*).
 */
export function itemsOf(payload: JsonObject, list: ListMember): readonly JsonValue[] {
  const value = payload[list]
  if (isArray(value)) return value
  return list === 'input' && typeof value === 'string' ? [{ role: 'user', content: value }] : []
}
