/** Walks over the structure of a payload's messages, alike for every format's detection. */
import type { JsonObject } from '../engine/transcript.ts'
import { itemsOf } from './conversation-list.ts'
import { isArray, isRecord, textMember } from './json.ts'

export interface MessageVisitor {
  readonly message: (message: JsonObject, index: number) => void
  readonly block: (block: JsonObject, type: string, index: number, position: number) => void
}

export function visitMessages(payload: JsonObject, visitor: MessageVisitor): void {
  const messages = itemsOf(payload, 'messages')
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (!isRecord(message)) continue
    visitor.message(message, index)
    const { content } = message
    if (!isArray(content)) continue
    for (let position = 0; position < content.length; position += 1) {
      const block = content[position]
      if (!isRecord(block) || typeof block.type !== 'string') continue
      visitor.block(block, block.type, index, position)
    }
  }
}

/** Members of a message that only NeuroLink's ChatMessage has. */
export const NEUROLINK_MEMBERS = [
  'toolCallId',
  'isTruncationMarker',
  'condenseId',
  'condenseParent',
  'truncationId',
  'truncationParent',
] as const

/** Members of a message that only Chat Completions has. */
export const OPENAI_MEMBERS = ['tool_calls', 'tool_call_id', 'function_call', 'refusal'] as const

/** Blocks that only Chat Completions has; its `file` is told apart by its member. */
export const OPENAI_BLOCKS: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'refusal'])

/** Blocks that only Messages has, whatever they hold. */
const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_result',
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'thinking',
  'redacted_thinking',
  'search_result',
  'tool_reference',
  'container_upload',
  'compaction',
])

export function isAnthropicBlock(block: JsonObject, type: string): boolean {
  if (ANTHROPIC_BLOCKS.has(type) || type.endsWith('_tool_result')) return true
  return (type === 'image' || type === 'document') && isRecord(block.source)
}

export function isOpenaiBlock(block: JsonObject, type: string): boolean {
  return OPENAI_BLOCKS.has(type) || (type === 'file' && isRecord(block.file))
}

/** Parts that only the AI SDK has: all of its types that have a hyphen, and its reasoning. */
const AI_SDK_PARTS: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning',
  'reasoning-file',
])

export function isAiSdkPart(type: string): boolean {
  return AI_SDK_PARTS.has(type)
}

/** Whether anything says that what other formats have too is the AI SDK's here. */
export function isAiSdkPayload(payload: JsonObject): boolean {
  if (hasAiSdkSystem(payload)) return true
  let found = false
  visitMessages(payload, {
    message: () => {},
    block: (_, type) => {
      found ||= isAiSdkPart(type)
    },
  })
  return found
}

/** Its `system` may be a system message, or several. */
export function hasAiSdkSystem({ system }: JsonObject): boolean {
  const first = isArray(system) ? system[0] : system
  return isRecord(first) && first.role === 'system'
}

/** Every message has an id: weak evidence, which counts only where there is nothing else. */
export function allMessagesHaveIds(payload: JsonObject): boolean {
  const { messages } = payload
  return (
    isArray(messages) &&
    messages.length > 0 &&
    messages.every((message) => isRecord(message) && textMember(message, 'id') !== undefined)
  )
}

export function hasSystem(payload: JsonObject): boolean {
  return typeof payload.system === 'string' || isArray(payload.system)
}

/** The first tool definition, by which the list's format is known. */
export function firstTool(payload: JsonObject): JsonObject | undefined {
  const first = isArray(payload.tools) ? payload.tools[0] : undefined
  return isRecord(first) ? first : undefined
}

export function present(message: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => message[name] !== undefined)
}
