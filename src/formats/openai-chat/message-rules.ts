import type { JsonObject } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { knownRoleRule } from '../known-role-rule.ts'
import type { WireRule } from '../wire-rule.ts'
import type { Context } from './rule-context.ts'

const API_REFERENCE = 'OpenAI API reference, Create chat completion, messages'

const ROLES: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

/** Content parts and the only role that may hold them. Parts of other types are nobody's here. */
const ROLE_OF_PART: ReadonlyMap<unknown, string> = new Map([
  ['image_url', 'user'],
  ['input_audio', 'user'],
  ['file', 'user'],
  ['refusal', 'assistant'],
])

/** The loosest pattern that the API has had; that of 2023 took letters, digits, `_` and `-` only. */
const SPEAKER = /^[^\s<|\\/>]+$/

const TOOL_NAME = /^[a-zA-Z0-9_-]+$/

export const MESSAGE_RULES: readonly WireRule<Context>[] = [
  knownRoleRule('messages', API_REFERENCE, ROLES),
  {
    id: 'empty-content',
    source: `${API_REFERENCE}: content is required unless an assistant calls tools`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (isRecord(message) && isEmpty(message)) {
          report(pointer('messages', index), 'has neither content nor anything in its place')
        }
      }
    },
  },
  {
    id: 'part-role',
    source: `${API_REFERENCE}: parts by role; enforced with a 400 (openai-node issue 1030, OpenHands issue 7700)`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !isArray(message.content)) continue
        for (const [position, part] of message.content.entries()) {
          const only = isRecord(part) ? ROLE_OF_PART.get(part.type) : undefined
          if (only === undefined || only === message.role) continue
          report(
            pointer('messages', index, 'content', position),
            `may stand in ${only} messages only`,
          )
        }
      }
    },
  },
  {
    id: 'speaker-name',
    source: `${API_REFERENCE}: name; enforced with a 400 (openai-python issue 309, ag2 issue 451)`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || message.role === 'tool') continue
        if (typeof message.name !== 'string' || SPEAKER.test(message.name)) continue
        report(
          pointer('messages', index, 'name'),
          'must be without white space and the characters < | \\ / >',
        )
      }
    },
  },
  {
    id: 'empty-tool-calls',
    source: `${API_REFERENCE}: an empty tool_calls array is refused as too short`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !isArray(message.tool_calls)) continue
        if (message.tool_calls.length > 0) continue
        report(pointer('messages', index, 'tool_calls'), 'must not be an empty array')
      }
    },
  },
  {
    id: 'tool-name',
    source: 'OpenAI guide Function calling; enforced with a 400 (mcp-use issue 90)',
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !isArray(message.tool_calls)) continue
        for (const [position, call] of message.tool_calls.entries()) {
          const name = isRecord(call) && isRecord(call.function) ? call.function.name : undefined
          if (typeof name !== 'string' || TOOL_NAME.test(name)) continue
          report(
            pointer('messages', index, 'tool_calls', position, 'function', 'name'),
            'must be of letters, digits, _ and -',
          )
        }
      }
    },
  },
]

/** A tool may answer with an empty string, a function with null; nobody else may say nothing at all. */
function isEmpty(message: JsonObject): boolean {
  const { role, content } = message
  if (isArray(content)) return content.length === 0
  if (role === 'tool') return typeof content !== 'string'
  if (role === 'function') return typeof content !== 'string' && content !== null
  if (typeof content === 'string' && content !== '') return false
  if (role !== 'assistant') return true
  const calls = isArray(message.tool_calls) && message.tool_calls.length > 0
  const other = [message.function_call, message.refusal, message.audio].some(
    (value) => value !== undefined && value !== null,
  )
  return !calls && !other
}
