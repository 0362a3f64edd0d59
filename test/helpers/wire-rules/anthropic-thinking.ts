import type { Turn } from './anthropic-turns.ts'
import type { JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Thinking in Anthropic Messages (guide "Extended thinking", section on preserving blocks).
 *
 * - `thinking-last`: "The final block in an assistant message cannot be `thinking`"; also where
 *   nothing but thinking is left of the turn.
 * - `thinking-sealed`: `thinking` requires `signature`, `redacted_thinking` requires `data`.
 */
export function findAnthropicThinkingFaults(turns: readonly Turn[]): Fault[] {
  return turns.flatMap(({ role, blocks }) => {
    if (role !== 'assistant') return []
    const faults = blocks.flatMap(({ block, pointer }) =>
      isSignedBlock(block) && !isSealed(block) ? [{ rule: 'thinking-sealed', pointer }] : [],
    )
    const last = blocks.at(-1)
    if (last !== undefined && isSignedBlock(last.block)) {
      faults.push({ rule: 'thinking-last', pointer: last.pointer })
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
