import type { JsonObject } from '../../engine/transcript.ts'
import { isArray, isRecord, textMember } from '../json.ts'

/** Tools that run at the provider: `server_tool_use`, `mcp_tool_use`. */
export function isServerCall(type: string): boolean {
  return type !== 'tool_use' && type.endsWith('_tool_use')
}

/** Their results: `web_search_tool_result`, `mcp_tool_result` and the like. */
export function isServerResult(type: string): boolean {
  return type !== 'tool_result' && type.endsWith('_tool_result')
}

export function isThinking(type: string): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/**
 * A block that stands for all that precedes it, which the API then leaves out. One without a summary
 * is a compaction that failed; the API takes it for nothing (SDK types, `BetaCompactionBlockParam`).
 */
export function isCompaction(block: JsonObject): boolean {
  if (block.type !== 'compaction') return false
  return (
    textMember(block, 'content') !== undefined ||
    textMember(block, 'encrypted_content') !== undefined
  )
}

/**
 * A system message that sets options and says nothing; the API takes it empty and in any place. `{}`
 * sets none, and one that says something is a message like others (SDK types, `BetaSystemMessageParam`).
 */
export function isDirective({ role, content, output_config: options }: JsonObject): boolean {
  if (role !== 'system' || !isRecord(options) || Object.keys(options).length === 0) return false
  return content === undefined || (isArray(content) && content.length === 0)
}
