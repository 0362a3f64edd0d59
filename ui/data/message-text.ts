/** The text of a message in any of the wire formats, for people to read. */
import type { JsonObject, JsonValue } from '../../src/engine/transcript.ts'

/** Members that hold the text of a part or the output of a tool, in the order in which they are tried. */
const TEXT_MEMBERS = ['text', 'thinking', 'refusal', 'summary_text'] as const

/** Members that hold more parts, or one. */
const NESTED_MEMBERS = [
  'content',
  'parts',
  'tool_calls',
  'output',
  'response',
  'result',
  'summary',
  'value',
] as const

const CALL_MEMBERS = ['function', 'functionCall', 'function_call'] as const
const RESPONSE_MEMBERS = ['functionResponse', 'function_response'] as const
const INPUT_MEMBERS = ['arguments', 'input', 'args', 'action'] as const

/** Data of images and files: long, and nothing to read. */
const MAX_DATA = 4_000

const texts = new WeakMap<object, string>()

export function messageText(message: JsonValue): string {
  if (typeof message !== 'object' || message === null) return String(message ?? '')
  const known = texts.get(message)
  if (known !== undefined) return known
  const text = textsOf(message).join('\n').trim() || shortJson(message)
  texts.set(message, text)
  return text
}

export function roleOf(message: JsonValue): string {
  if (!isObject(message)) return ''
  const { role, type } = message
  if (typeof role === 'string') return role
  return typeof type === 'string' ? type.replaceAll('_', ' ') : ''
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isObject(value) ? partTexts(value) : []
}

function partTexts(part: JsonObject): string[] {
  for (const member of CALL_MEMBERS) {
    const call = part[member]
    if (isObject(call)) return [callText(call)]
  }
  for (const member of RESPONSE_MEMBERS) {
    const response = part[member]
    if (isObject(response)) return [`← ${nameOf(response)}`, ...plainTexts(response.response)]
  }
  const input = INPUT_MEMBERS.find((member) => part[member] !== undefined)
  const name = nameOf(part)
  const isCall = input !== undefined && (name !== '' || part.call_id !== undefined)
  const own = TEXT_MEMBERS.flatMap((member) => {
    const text = part[member]
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  const nested = NESTED_MEMBERS.flatMap((member) => {
    const inner = part[member]
    return inner === undefined || inner === null ? [] : plainTexts(inner)
  })
  const all = [...(isCall ? [callText(part)] : []), ...own, ...nested]
  if (all.length > 0) return all
  return typeof part.type === 'string' ? [`[${part.type}]`] : []
}

/** What a tool answered may be any JSON; where no text is found in it, it is shown itself. */
function plainTexts(value: JsonValue | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  const found = textsOf(value)
  return found.length > 0 || !isObject(value) ? found : [shortJson(value)]
}

function callText(call: JsonObject): string {
  const member = INPUT_MEMBERS.find((name) => call[name] !== undefined)
  const input = member === undefined ? '' : call[member]
  const shown = typeof input === 'string' ? input : shortJson(input ?? '')
  return `→ ${nameOf(call)} ${shown}`.trim()
}

function nameOf({ name, toolName, type }: JsonObject): string {
  for (const candidate of [name, toolName]) if (typeof candidate === 'string') return candidate
  return typeof type === 'string' && type.endsWith('_call') ? type.replaceAll('_', ' ') : ''
}

function shortJson(value: JsonValue): string {
  return JSON.stringify(
    value,
    (_name, member) =>
      typeof member === 'string' && member.length > MAX_DATA
        ? `${member.slice(0, MAX_DATA)}… (${member.length} characters)`
        : member,
    2,
  )
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
