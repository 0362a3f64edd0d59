import type { JsonObject, JsonValue } from '../../engine/transcript.ts'

/** What a reader needs to recognise a message. Names and types only, never what it says. */
export interface MessageLabel {
  readonly role: string
  /** Its parts, where they are more than text: `tool_use Read`. */
  readonly holds: string
}

/** Members under which the formats name the tool of a call. */
const CALL_MEMBERS = [
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
] as const

/** Parts beyond this many are counted, not named. */
const MAX_NAMED = 2

export function labelOf(message: JsonValue | undefined): MessageLabel {
  if (!isObject(message)) return { role: '', holds: '' }
  const role = textOf(message.role) ?? ''
  const parts = [
    ...partsOf(message.content),
    ...partsOf(message.parts),
    ...callsOf(message.tool_calls),
    ...callsOf(message.function_call),
  ]
  if (role === '') parts.unshift(...partsOf([message]))
  const named = [...new Set(parts)]
  const shown = named.slice(0, MAX_NAMED).join(', ')
  const more = named.length - MAX_NAMED
  return { role, holds: more > 0 ? `${shown}, +${more}` : shown }
}

function partsOf(content: JsonValue | undefined): string[] {
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((part) => {
    for (const member of CALL_MEMBERS) {
      if (part[member] !== undefined) return [named(snakeCase(member), part[member])]
    }
    const type = textOf(part.type)
    if (type === undefined || isText(type)) return []
    return [named(type, part)]
  })
}

function callsOf(calls: JsonValue | undefined): string[] {
  if (isObject(calls)) return [named('call', calls)]
  if (!Array.isArray(calls)) return []
  return calls
    .filter(isObject)
    .map((call) => named('call', isObject(call.function) ? call.function : call))
}

function named(type: string, of: JsonValue | undefined): string {
  const name = isObject(of) ? (textOf(of.name) ?? textOf(of.toolName)) : undefined
  return name === undefined ? type : `${type} ${name}`
}

function isText(type: string): boolean {
  return type === 'text' || type === 'input_text' || type === 'output_text'
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
