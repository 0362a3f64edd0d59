import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { knownRoleRule } from '../known-role-rule.ts'
import type { Report, WireRule } from '../wire-rule.ts'
import type { Context } from './rule-context.ts'

const REFERENCE = 'AI SDK, ModelMessage (modelMessageSchema)'
const REASONING_ALONE =
  'Providers behind the SDK: Anthropic and OpenAI Responses refuse reasoning that nothing follows (vercel/ai issues 11036, 13430, 21102)'

type Role = 'system' | 'user' | 'assistant' | 'tool'

const ROLES: ReadonlySet<unknown> = new Set<Role>(['system', 'user', 'assistant', 'tool'])

/** Parts by the roles whose messages may hold them; a part of another type is nobody's business. */
const ROLES_OF_PART: ReadonlyMap<unknown, readonly Role[]> = new Map<unknown, readonly Role[]>([
  ['text', ['user', 'assistant']],
  ['image', ['user']],
  ['file', ['user', 'assistant']],
  ['custom', ['assistant']],
  ['reasoning', ['assistant']],
  ['reasoning-file', ['assistant']],
  ['tool-call', ['assistant']],
  ['tool-result', ['assistant', 'tool']],
  ['tool-approval-request', ['assistant']],
  ['tool-approval-response', ['tool']],
])

export const CONTENT_RULES: readonly WireRule<Context>[] = [
  knownRoleRule('messages', REFERENCE, ROLES),
  {
    id: 'content-shape',
    source: `${REFERENCE}: a string in system messages, an array of parts in tool messages, either in others`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !ROLES.has(message.role) || hasShape(message)) continue
        report(pointer('messages', index, 'content'), 'has not the shape that its role needs')
      }
    },
  },
  {
    id: 'empty-content',
    source:
      'Providers behind the SDK refuse a message that says nothing; the SDK leaves empty texts out and passes the rest on',
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message)) continue
        if (!saysNothing(message)) continue
        report(pointer('messages', index, 'content'), 'must not be empty')
      }
    },
  },
  {
    id: 'part-role',
    source: `${REFERENCE}: parts by role`,
    run: ({ messages }, report) => {
      eachPart(messages, (part, message, at) => {
        const allowed = ROLES_OF_PART.get(part.type)
        // A system message holds no parts at all, which `content-shape` says once.
        if (allowed === undefined || message.role === 'system') return
        if (!ROLES.has(message.role)) return
        if (allowed.some((role) => role === message.role)) return
        report(at, `may stand in ${allowed.join(' and ')} messages only`)
      })
    },
  },
  {
    id: 'result-output',
    source: `${REFERENCE}: output is { type, value } of text, json, content, error-text, error-json, or execution-denied`,
    run: ({ messages }, report) => {
      eachPart(messages, (part, _, at) => {
        if (part.type !== 'tool-result' || isOutput(part.output)) return
        report(`${at}/output`, 'is not an output of this format')
      })
    },
  },
  {
    id: 'reasoning-alone',
    source: REASONING_ALONE,
    run: ({ messages }, report) => reportReasoningAlone(messages, report),
  },
]

function eachPart(
  messages: readonly JsonValue[],
  visit: (part: JsonObject, message: JsonObject, at: string) => void,
): void {
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message) || !isArray(message.content)) continue
    for (const [position, part] of message.content.entries()) {
      if (isRecord(part)) visit(part, message, pointer('messages', index, 'content', position))
    }
  }
}

function hasShape({ role, content }: JsonObject): boolean {
  if (typeof content === 'string') return role !== 'tool'
  return isArray(content) && role !== 'system'
}

function isOutput(output: JsonValue | undefined): boolean {
  if (!isRecord(output)) return false
  const { type, value } = output
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string'
    case 'json':
    case 'error-json':
      return value !== undefined
    case 'content':
      return isArray(value)
    default:
      return type === 'execution-denied'
  }
}

function reportReasoningAlone(messages: readonly JsonValue[], report: Report): void {
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message) || message.role !== 'assistant' || !isArray(message.content)) continue
    const isAlone =
      message.content.length > 0 &&
      message.content.every(
        (part) => isRecord(part) && (part.type === 'reasoning' || part.type === 'reasoning-file'),
      )
    if (isAlone) report(pointer('messages', index), 'holds reasoning and nothing else')
  }
}

function saysNothing({ content }: JsonObject): boolean {
  if (!isArray(content)) return content === ''
  return content.every((part) => isRecord(part) && part.type === 'text' && part.text === '')
}
