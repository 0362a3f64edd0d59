import type { Turn } from './anthropic-turns.ts'
import type { JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

const CLIENT_ID = /^[a-zA-Z0-9_-]+$/
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/

/**
 * `call-id`: "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", the same of
 * `tool_result.tool_use_id`, and "server_tool_use.id: String should match pattern
 * '^srvtoolu_[a-zA-Z0-9_]+$'". Nothing is known of the ids of MCP tools.
 */
export function findAnthropicIdFaults(turns: readonly Turn[]): Fault[] {
  return turns.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, pointer }) =>
      hasWrongId(block) ? [{ rule: 'call-id', pointer }] : [],
    ),
  )
}

function hasWrongId({ type, id, tool_use_id: answered }: JsonRecord): boolean {
  switch (type) {
    case 'tool_use':
      return typeof id === 'string' && !CLIENT_ID.test(id)
    case 'tool_result':
      return typeof answered === 'string' && !CLIENT_ID.test(answered)
    case 'server_tool_use':
      return typeof id === 'string' && !SERVER_ID.test(id)
    default:
      return false
  }
}
