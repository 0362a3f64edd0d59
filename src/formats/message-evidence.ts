/** Walks over the structure of a payload's messages, alike for every format's detection. */
import type { JsonObject } from '../engine/transcript.ts'
import { isArray, isRecord, messagesOf } from './json.ts'

export interface MessageVisitor {
  readonly message: (message: JsonObject, index: number) => void
  readonly block: (block: JsonObject, type: string, index: number, position: number) => void
}

export function visitMessages(payload: JsonObject, visitor: MessageVisitor): void {
  const messages = messagesOf(payload)
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
