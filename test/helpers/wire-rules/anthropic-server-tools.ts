import { isServerResult, type Turn } from './anthropic-turns.ts'
import type { JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Tools that run at the provider: call and result are both written by the assistant, in one turn.
 * It ends with the first user turn that holds anything but results of client tools (guide
 * "Server tools"). A turn that has not ended yet, because it was paused, may still be open.
 *
 * - `server-call-without-result`: "`web_search` tool use with id ... was found without a
 *   corresponding `web_search_tool_result` block".
 * - `server-result-without-call`: "unexpected `tool_use_id` found in `..._tool_result` blocks. Each
 *   ... block must have a corresponding `server_tool_use` block before it".
 */
export function findAnthropicServerToolFaults(turns: readonly Turn[]): Fault[] {
  const faults: Fault[] = []
  let open = new Map<unknown, string>()
  let asked = new Set<unknown>()
  for (const { role, blocks } of turns) {
    if (role !== 'assistant') {
      if (blocks.length > 0 && blocks.every(({ block }) => block.type === 'tool_result')) continue
      for (const pointer of open.values()) {
        faults.push({ rule: 'server-call-without-result', pointer })
      }
      open = new Map()
      asked = new Set()
      continue
    }
    for (const { block, pointer } of blocks) {
      if (isServerCall(block)) {
        asked.add(block.id)
        open.set(block.id, pointer)
      } else if (isServerResult(block)) {
        if (!asked.has(block.tool_use_id)) {
          faults.push({ rule: 'server-result-without-call', pointer })
        }
        open.delete(block.tool_use_id)
      }
    }
  }
  return faults
}

function isServerCall(block: JsonRecord): boolean {
  return block.type === 'server_tool_use' || block.type === 'mcp_tool_use'
}
