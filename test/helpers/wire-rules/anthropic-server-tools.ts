import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Tools that run at the provider: call and result are both written by the assistant, in one turn.
 * A turn ends with the first user message that holds anything but results of client tools (guide
 * "Server tools"). A turn that has not ended yet, because it was paused, may still be open.
 *
 * - `missing-server-result`: "`web_search` tool use with id ... was found without a corresponding
 *   `web_search_tool_result` block".
 * - `orphan-server-result`: "unexpected `tool_use_id` found in `..._tool_result` blocks. Each ...
 *   block must have a corresponding `server_tool_use` block before it".
 */
export function findAnthropicServerToolFaults(messages: readonly unknown[]): Fault[] {
  const faults: Fault[] = []
  let open = new Map<unknown, string>()
  let asked = new Set<unknown>()
  messages.forEach((value, index) => {
    const message = asRecord(value)
    const blocks = asArray(message.content).map(asRecord)
    if (message.role !== 'assistant') {
      const goesOn = blocks.length > 0 && blocks.every((block) => block.type === 'tool_result')
      if (goesOn) return
      for (const pointer of open.values()) faults.push({ rule: 'missing-server-result', pointer })
      open = new Map()
      asked = new Set()
      return
    }
    blocks.forEach((block, position) => {
      const pointer = `/messages/${index}/content/${position}`
      if (isServerCall(block)) {
        asked.add(block.id)
        open.set(block.id, pointer)
      } else if (isServerResult(block)) {
        if (!asked.has(block.tool_use_id)) faults.push({ rule: 'orphan-server-result', pointer })
        open.delete(block.tool_use_id)
      }
    })
  })
  return faults
}

function isServerCall(block: JsonRecord): boolean {
  return block.type === 'server_tool_use' || block.type === 'mcp_tool_use'
}

function isServerResult(block: JsonRecord): boolean {
  const { type } = block
  return typeof type === 'string' && type !== 'tool_result' && type.endsWith('tool_result')
}
