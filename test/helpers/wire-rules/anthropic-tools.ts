import type { PlacedBlock, Turn } from './anthropic-turns.ts'
import type { Fault } from './types.ts'

/**
 * Client tools in Anthropic Messages. Sources: the guide "Handle tool calls" (results immediately
 * behind the calls, results before any other block) and the API's own refusals. The guide asks for
 * all parallel results in one message; the API joins neighbouring messages of a role into one turn
 * and takes several (agentscope issue 1892: refused by an imitation, taken by Anthropic).
 *
 * - `call-without-result`: "`tool_use` ids were found without `tool_result` blocks immediately
 *   after". A call is still pending, and that is no fault, while its turn is the last one, or while
 *   the last turn holds nothing but the results collected so far.
 * - `result-without-call`: "unexpected `tool_use_id` found in `tool_result` blocks. Each
 *   `tool_result` block must have a corresponding `tool_use` block in the previous message".
 * - `duplicate-result`: "each tool_use must have a single result".
 * - `duplicate-call-id`: "`tool_use` ids must be unique", over the whole request.
 * - `results-first`: "the tool_result blocks must come FIRST in the content array", of those that
 *   answer a call.
 */
export function findAnthropicToolFaults(turns: readonly Turn[]): Fault[] {
  const everAsked = new Set<unknown>()
  return turns.flatMap(({ role }, index) => {
    if (role === 'assistant') return findCallFaults(turns, index, everAsked)
    return role === 'user' ? findResultFaults(turns, index) : []
  })
}

function findCallFaults(turns: readonly Turn[], index: number, everAsked: Set<unknown>): Fault[] {
  const next = turns[index + 1]
  const answered = next?.role === 'user' ? idsOf(next, 'tool_result', 'tool_use_id') : new Set()
  const mayBePending =
    next === undefined || (index === turns.length - 2 && next.blocks.every(isResult))
  return blocksOf(turns[index]).flatMap(({ block, pointer }) => {
    if (block.type !== 'tool_use') return []
    if (everAsked.has(block.id)) return [{ rule: 'duplicate-call-id', pointer }]
    everAsked.add(block.id)
    return answered.has(block.id) || mayBePending ? [] : [{ rule: 'call-without-result', pointer }]
  })
}

function findResultFaults(turns: readonly Turn[], index: number): Fault[] {
  const previous = turns[index - 1]
  const asked = previous?.role === 'assistant' ? idsOf(previous, 'tool_use', 'id') : new Set()
  const answered = new Set<unknown>()
  const faults: Fault[] = []
  let otherBlockSeen = false
  let orderReported = false
  for (const placed of blocksOf(turns[index])) {
    if (!isResult(placed)) {
      otherBlockSeen = true
      continue
    }
    const { block, pointer } = placed
    if (!asked.has(block.tool_use_id)) {
      faults.push({ rule: 'result-without-call', pointer })
      continue
    }
    if (answered.has(block.tool_use_id)) faults.push({ rule: 'duplicate-result', pointer })
    answered.add(block.tool_use_id)
    if (otherBlockSeen && !orderReported) {
      faults.push({ rule: 'results-first', pointer })
      orderReported = true
    }
  }
  return faults
}

function isResult({ block }: PlacedBlock): boolean {
  return block.type === 'tool_result'
}

function idsOf({ blocks }: Turn, type: string, key: string): Set<unknown> {
  return new Set(blocks.filter(({ block }) => block.type === type).map(({ block }) => block[key]))
}

function blocksOf(turn: Turn | undefined): readonly PlacedBlock[] {
  return turn?.blocks ?? []
}
