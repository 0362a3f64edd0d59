import type { Mutation } from './broken.ts'
import { breakResponsesExchange } from './broken-openai-responses-exchange.ts'
import { insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Every single change that this file knows to break an OpenAI Responses conversation. */
export function breakOpenaiResponses(items: readonly JsonObject[]): Mutation[] {
  return [
    ...items.flatMap((item, index) => [
      ...(item.role === 'user' ? breakRequest(items, item, index) : []),
      ...(item.type === 'reasoning' ? breakThought(items, index) : []),
      ...breakResponsesExchange(items, item, index),
    ]),
    {
      name: 'trailing-reasoning',
      write: () => [...items, STRAY_THOUGHT],
      faults: [{ rule: 'reasoning-without-item', pointer: `/input/${items.length}` }],
    },
  ]
}

const STRAY_THOUGHT = { id: 'rs_stray', type: 'reasoning', summary: [] }

function breakRequest(items: readonly JsonObject[], item: JsonObject, index: number): Mutation[] {
  const { content: _, ...silent } = item
  const empty = (name: string, members: JsonObject): Mutation => ({
    name,
    write: () => replaceAt(items, index, { ...silent, ...members }),
    faults: [{ rule: 'empty-content', pointer: `/input/${index}/content` }],
  })
  return [
    empty('absent-content', {}),
    empty('empty-content', { content: '' }),
    empty('empty-parts', { content: [] }),
    empty('null-content', { content: null }),
    {
      name: 'known-role',
      write: () => replaceAt(items, index, { ...item, role: 'narrator' }),
      faults: [{ rule: 'known-role', pointer: `/input/${index}/role` }],
    },
    {
      name: 'structure',
      write: () => insertAt(items, index, null as unknown as JsonObject),
      faults: [{ rule: 'structure', pointer: `/input/${index}` }],
    },
    {
      name: 'reasoning-without-item',
      write: () => insertAt(items, index, STRAY_THOUGHT),
      faults: [{ rule: 'reasoning-without-item', pointer: `/input/${index}` }],
    },
  ]
}

/** What the thought led to goes, or somebody speaks in between. */
function breakThought(items: readonly JsonObject[], index: number): Mutation[] {
  const next = items[index + 1]
  const isAtTail = !items.slice(index).some(({ role }) => role === 'user')
  if (next === undefined || next.type === 'reasoning' || isAtTail) return []
  const fault = { rule: 'reasoning-without-item', pointer: `/input/${index}` }
  const mutations: Mutation[] = [
    {
      name: 'interrupted-thought',
      write: () => insertAt(items, index + 1, { role: 'user', content: 'Wait.' }),
      faults: [fault],
    },
  ]
  const isAlone = next.role === 'assistant' && items[index + 2]?.role === 'user'
  if (isAlone) {
    mutations.push({
      name: 'lost-answer',
      write: () => removeAt(items, index + 1),
      faults: [fault],
    })
  }
  return mutations
}
