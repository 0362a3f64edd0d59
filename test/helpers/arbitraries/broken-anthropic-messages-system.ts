import type { Mutation } from './broken.ts'
import { insertAt } from './splice.ts'
import type { JsonObject } from './types.ts'

const INSTRUCTION = { role: 'system', content: 'Answer in French from here on.' }

/** Instructions among the messages where none may stand, and at the end, where they may, what is none. */
export function breakAnthropicSystem(messages: readonly JsonObject[]): Mutation[] {
  const misplaced = (at: number): Mutation => ({
    name: 'system-placement',
    write: () => insertAt(messages, at, INSTRUCTION),
    faults: [{ rule: 'system-placement', pointer: `/messages/${at}` }],
  })
  const misplacements = messages.flatMap(({ role }, index) => {
    const nextRole = messages[index + 1]?.role
    const isOpen = role === 'user' && nextRole !== 'user'
    return role === 'system' || isOpen ? [] : [misplaced(index + 1)]
  })
  const endsOpen = messages.at(-1)?.role === 'user'
  return [misplaced(0), ...misplacements, ...(endsOpen ? breakInstruction(messages) : [])]
}

function breakInstruction(messages: readonly JsonObject[]): Mutation[] {
  const at = messages.length
  const said = (rule: string, members: JsonObject, pointer: string): Mutation => ({
    name: `system-${rule}`,
    write: () => [...messages, { role: 'system', ...members }],
    faults: [{ rule, pointer: `/messages/${at}/${pointer}` }],
  })
  const silent = at % 2 === 0 ? { content: [] } : { output_config: {} }
  return [
    said('empty-content', silent, 'content'),
    said('empty-text', { content: [{ type: 'text', text: ' ' }] }, 'content/0'),
    said('block-role', { content: [{ type: 'tool_result', tool_use_id: 'a' }] }, 'content/0'),
  ]
}
