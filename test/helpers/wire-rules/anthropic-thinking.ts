import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Thinking in Anthropic Messages (guide "Extended thinking", section on preserving blocks).
 *
 * - `thinking-only`: nothing but thinking is left of an assistant message.
 * - `thinking-last`: "The final block in an assistant message cannot be `thinking`".
 * - `missing-signature`: `thinking` requires `signature`, `redacted_thinking` requires `data`.
 */
export function findAnthropicThinkingFaults(messages: readonly unknown[]): Fault[] {
  return messages.flatMap((value, index) => {
    const message = asRecord(value)
    const blocks = asArray(message.content).map(asRecord)
    if (message.role !== 'assistant' || blocks.length === 0) return []
    const faults = blocks.flatMap((block, position) =>
      isSignedBlock(block) && !isSealed(block)
        ? [{ rule: 'missing-signature', pointer: `/messages/${index}/content/${position}` }]
        : [],
    )
    const last = blocks.length - 1
    if (blocks.every(isSignedBlock)) {
      faults.push({ rule: 'thinking-only', pointer: `/messages/${index}` })
    } else if (isSignedBlock(asRecord(blocks[last]))) {
      faults.push({ rule: 'thinking-last', pointer: `/messages/${index}/content/${last}` })
    }
    return faults
  })
}

export function isSignedBlock(block: JsonRecord): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

function isSealed(block: JsonRecord): boolean {
  const seal = block.type === 'thinking' ? block.signature : block.data
  return typeof seal === 'string' && seal !== ''
}
