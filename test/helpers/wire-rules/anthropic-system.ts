import { isDirective, isServerResult } from './anthropic-turns.ts'
import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

interface Placed {
  readonly message: JsonRecord
  readonly index: number
}

/**
 * The place of instructions among the messages (guide "Mid-conversation system messages"). Several
 * in a row are one group; messages that only carry a setting stand anywhere and are looked through.
 *
 * - `system-placement`, at the first of a group: "role 'system' must follow a 'user' message or an
 *   'assistant' message ending in a server tool result", and "use the top-level 'system' parameter
 *   for the initial system prompt".
 * - `system-placement`, at the last of a group: "role 'system' must precede an 'assistant' message
 *   or end the array". The API names one of the two.
 */
export function findAnthropicSystemFaults(messages: readonly unknown[]): Fault[] {
  const spoken = messages
    .map((value, index): Placed => ({ message: asRecord(value), index }))
    .filter(({ message }) => !isDirective(message))
  return spoken.flatMap((first, start) => {
    const before = spoken[start - 1]
    if (!isSystem(first) || isSystem(before)) return []
    if (!opensForSystem(before)) return [fault(first)]
    const length = spoken.slice(start).findIndex((placed) => !isSystem(placed))
    const after = length < 0 ? undefined : spoken[start + length]
    const last = spoken[start + length - 1]
    if (after === undefined || last === undefined || after.message.role === 'assistant') return []
    return [fault(last)]
  })
}

function fault({ index }: Placed): Fault {
  return { rule: 'system-placement', pointer: `/messages/${index}` }
}

function isSystem(placed: Placed | undefined): boolean {
  return placed?.message.role === 'system'
}

function opensForSystem(placed: Placed | undefined): boolean {
  const { role, content } = placed?.message ?? {}
  if (role === 'assistant') return isServerResult(asRecord(asArray(content).at(-1)))
  return role === 'user'
}
