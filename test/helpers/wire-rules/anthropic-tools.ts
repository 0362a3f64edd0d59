import { asArray, asRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Client tools in Anthropic Messages. Sources: the guide "Handle tool calls" (results immediately
 * behind the calls, all parallel ones in a single user message, results before any other block)
 * and the API's own refusals.
 *
 * - `missing-result`: "`tool_use` ids were found without `tool_result` blocks immediately after".
 *   A call is still pending, and that is no fault, while its message is the last one, or while the
 *   last message holds nothing but the results collected so far.
 * - `orphan-result`: "unexpected `tool_use_id` found in `tool_result` blocks. Each `tool_result`
 *   block must have a corresponding `tool_use` block in the previous message".
 * - `duplicate-result`: "each tool_use must have a single result".
 * - `duplicate-call`: "`tool_use` ids must be unique", over the whole request.
 * - `result-not-first`: "the tool_result blocks must come FIRST in the content array".
 */
export function findAnthropicToolFaults(messages: readonly unknown[]): Fault[] {
  const everAsked = new Set<unknown>()
  return messages.flatMap((value, index) => {
    const message = asRecord(value)
    if (message.role === 'assistant') return findCallFaults(messages, index, everAsked)
    return message.role === 'user' ? findResultFaults(messages, index) : []
  })
}

function findCallFaults(
  messages: readonly unknown[],
  index: number,
  everAsked: Set<unknown>,
): Fault[] {
  const next = asRecord(messages[index + 1])
  const answered = next.role === 'user' ? idsOf(next, 'tool_result', 'tool_use_id') : new Set()
  const mayBePending =
    index === messages.length - 1 || (index === messages.length - 2 && holdsOnlyResults(next))
  return blocksOf(messages[index]).flatMap((block, position) => {
    if (block.type !== 'tool_use') return []
    const pointer = `/messages/${index}/content/${position}`
    if (everAsked.has(block.id)) return [{ rule: 'duplicate-call', pointer }]
    everAsked.add(block.id)
    return answered.has(block.id) || mayBePending ? [] : [{ rule: 'missing-result', pointer }]
  })
}

function findResultFaults(messages: readonly unknown[], index: number): Fault[] {
  const previous = asRecord(messages[index - 1])
  const asked = previous.role === 'assistant' ? idsOf(previous, 'tool_use', 'id') : new Set()
  const answered = new Set<unknown>()
  const faults: Fault[] = []
  let otherBlockSeen = false
  let orderReported = false
  blocksOf(messages[index]).forEach((block, position) => {
    if (block.type !== 'tool_result') {
      otherBlockSeen = true
      return
    }
    const pointer = `/messages/${index}/content/${position}`
    if (!asked.has(block.tool_use_id)) faults.push({ rule: 'orphan-result', pointer })
    else if (answered.has(block.tool_use_id)) faults.push({ rule: 'duplicate-result', pointer })
    answered.add(block.tool_use_id)
    if (otherBlockSeen && !orderReported) {
      faults.push({ rule: 'result-not-first', pointer })
      orderReported = true
    }
  })
  return faults
}

function holdsOnlyResults(message: unknown): boolean {
  const blocks = blocksOf(message)
  return blocks.length > 0 && blocks.every((block) => block.type === 'tool_result')
}

function idsOf(message: unknown, type: string, key: string): Set<unknown> {
  return new Set(
    blocksOf(message)
      .filter((block) => block.type === type)
      .map((block) => block[key]),
  )
}

function blocksOf(message: unknown) {
  return asArray(asRecord(message).content).map(asRecord)
}
