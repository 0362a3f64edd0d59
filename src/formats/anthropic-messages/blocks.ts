import type { JsonObject } from '../../engine/transcript.ts'

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

/** A system message that only sets options; the API takes it empty and in any place. */
export function isDirective(message: JsonObject): boolean {
  return message.role === 'system' && message.output_config !== undefined
}
