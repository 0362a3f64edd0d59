import { findAiSdkApprovalFaults } from './ai-sdk-approvals.ts'
import { type AiSdkMessage, isLeftOut, isReasoning, readAiSdkMessage } from './ai-sdk-parts.ts'
import { findAiSdkToolFaults } from './ai-sdk-tools.ts'
import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/**
 * Faults of a conversation of ModelMessages (AI SDK 5 and later).
 *
 * - `structure`: `messages` is a list of objects, and not an empty one ("messages must not be empty").
 * - `known-role`, `content-shape`, `part-role`, `result-output`: "The messages do not match the
 *   ModelMessage[] schema" (`modelMessageSchema`; the parts of a role are those of all versions).
 * - `empty-content`: '' or [] or nothing but empty texts, which the SDK removes and then sends the
 *   message without content. Providers refuse that also at the end of the conversation.
 * - `reasoning-alone`: nothing but reasoning is left of an assistant message (refused by Anthropic,
 *   and by OpenAI as reasoning "without its required following item"; vercel/ai issue 11036).
 * - the rules of `ai-sdk-tools.ts` and `ai-sdk-approvals.ts`.
 */
export function findAiSdkFaults(payload: WirePayload): Fault[] {
  const list = asArray(payload.messages)
  if (list.length === 0) return [{ rule: 'structure', pointer: '/messages' }]
  const messages = list.map(readAiSdkMessage)
  return [
    ...messages.flatMap(findMessageFaults),
    ...findAiSdkToolFaults(messages),
    ...findAiSdkApprovalFaults(messages),
  ]
}

/** Parts that each role can hold; `custom` and `reasoning-file` since version 7, approvals since 6. */
const HOMES: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['system', []],
  ['user', ['text', 'image', 'file']],
  [
    'assistant',
    [
      'text',
      'file',
      'reasoning',
      'reasoning-file',
      'custom',
      'tool-call',
      'tool-result',
      'tool-approval-request',
    ],
  ],
  ['tool', ['tool-result', 'tool-approval-response']],
])

const KNOWN_TYPES: ReadonlySet<unknown> = new Set([...HOMES.values()].flat())

function findMessageFaults(message: AiSdkMessage): Fault[] {
  const { isObject, role, content, parts, pointer } = message
  if (!isObject) return [{ rule: 'structure', pointer }]
  const home = HOMES.get(role)
  if (home === undefined) return [{ rule: 'known-role', pointer: `${pointer}/role` }]
  const at = `${pointer}/content`
  if (!hasShape(message)) return [{ rule: 'content-shape', pointer: at }]
  if (content === '' || (Array.isArray(content) && parts.every((part) => isLeftOut(part, role)))) {
    return [{ rule: 'empty-content', pointer: at }]
  }
  const faults = parts.flatMap((part, position) => {
    const isStray = KNOWN_TYPES.has(part.type) && !home.includes(String(part.type))
    const rule = isStray ? 'part-role' : 'result-output'
    const isBad = isStray || (part.type === 'tool-result' && !isOutput(asRecord(part.output)))
    return isBad ? [{ rule, pointer: `${at}/${position}` }] : []
  })
  const spoken = parts.filter((part) => !isLeftOut(part, role))
  if (role === 'assistant' && spoken.length > 0 && spoken.every(isReasoning)) {
    faults.push({ rule: 'reasoning-alone', pointer })
  }
  return faults
}

function hasShape({ role, content }: AiSdkMessage): boolean {
  if (typeof content === 'string') return role !== 'tool'
  return Array.isArray(content) && role !== 'system'
}

/** The union `ToolResultOutput`. */
function isOutput(output: JsonRecord): boolean {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return typeof output.value === 'string'
    case 'json':
    case 'error-json':
      return output.value !== undefined
    case 'content':
      return Array.isArray(output.value)
    default:
      return output.type === 'execution-denied'
  }
}
