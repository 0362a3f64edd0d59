/** One agent's session in each format in which the complaints of the field were made. */
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { ListMember } from '../../../src/formats/conversation-list.ts'
import { prose } from '../seeds/support.ts'

export interface Dialect {
  readonly list: ListMember
  readonly user: (text: string) => JsonObject
  readonly says: (text: string) => JsonObject[]
  /** Parallel calls, as the model writes them in one go. */
  readonly calls: (ids: readonly string[]) => JsonObject[]
  readonly results: (ids: readonly string[], words: number) => JsonObject[]
}

export const DIALECTS = {
  'openai-chat': {
    list: 'messages',
    user: (content) => ({ role: 'user', content }),
    says: (content) => [{ role: 'assistant', content }],
    calls: (ids) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((id) => ({
          id,
          type: 'function',
          function: { name: 'run', arguments: JSON.stringify({ id }) },
        })),
      },
    ],
    results: (ids, words) =>
      ids.map((id) => ({ role: 'tool', tool_call_id: id, content: prose(words, id) })),
  },
  'anthropic-messages': {
    list: 'messages',
    user: (content) => ({ role: 'user', content }),
    says: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
    calls: (ids) => [
      {
        role: 'assistant',
        content: ids.map((id) => ({ type: 'tool_use', id, name: 'run', input: { id } })),
      },
    ],
    results: (ids, words) => [
      {
        role: 'user',
        content: ids.map((id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: prose(words, id),
        })),
      },
    ],
  },
  'openai-responses': {
    list: 'input',
    user: (content) => ({ role: 'user', content }),
    says: (text) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    ],
    calls: (ids) =>
      ids.map((id) => ({
        type: 'function_call',
        call_id: id,
        name: 'run',
        arguments: JSON.stringify({ id }),
      })),
    results: (ids, words) =>
      ids.map((id) => ({ type: 'function_call_output', call_id: id, output: prose(words, id) })),
  },
  gemini: {
    list: 'contents',
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    says: (text) => [{ role: 'model', parts: [{ text }] }],
    calls: (ids) => [
      {
        role: 'model',
        parts: ids.map((id) => ({ functionCall: { id, name: 'run', args: { id } } })),
      },
    ],
    results: (ids, words) => [
      {
        role: 'user',
        parts: ids.map((id) => ({
          functionResponse: { id, name: 'run', response: { output: prose(words, id) } },
        })),
      },
    ],
  },
  'ai-sdk': {
    list: 'messages',
    user: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
    says: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
    calls: (ids) => [
      {
        role: 'assistant',
        content: ids.map((id) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: 'run',
          input: { id },
        })),
      },
    ],
    results: (ids, words) => [
      {
        role: 'tool',
        content: ids.map((id) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: 'run',
          output: { type: 'text', value: prose(words, id) },
        })),
      },
    ],
  },
} satisfies Record<string, Dialect>

export type FieldFormat = keyof typeof DIALECTS

export const FIELD_FORMATS = Object.keys(DIALECTS) as FieldFormat[]

/** The ids that calls of these items have, and those that results answer, in any of the formats. */
export function idsIn(items: readonly unknown[]): { called: string[]; answered: string[] } {
  const called: string[] = []
  const answered: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const one = value as Record<string, unknown>
    const { type } = one
    if (type === 'tool_use' || type === 'function') called.push(String(one.id))
    else if (type === 'function_call') called.push(String(one.call_id))
    else if (type === 'tool-call') called.push(String(one.toolCallId))
    else if (type === 'tool_result') answered.push(String(one.tool_use_id))
    else if (type === 'function_call_output') answered.push(String(one.call_id))
    else if (type === 'tool-result') answered.push(String(one.toolCallId))
    else if (one.role === 'tool' && typeof one.tool_call_id === 'string') {
      answered.push(one.tool_call_id)
    }
    if (one.functionCall !== undefined) called.push(String((one.functionCall as JsonObject).id))
    if (one.functionResponse !== undefined) {
      answered.push(String((one.functionResponse as JsonObject).id))
    }
    for (const name of ['content', 'parts', 'tool_calls']) visit(one[name])
  }
  visit(items)
  return { called, answered }
}

/**
 * A task, then turns of parallel calls with their results, a report and a wish after every other
 * one, and a request at the end.
 */
export function session(
  format: FieldFormat,
  turns: number,
  width: (turn: number) => number = () => 1,
): JsonObject[] {
  const { user, says, calls, results } = DIALECTS[format]
  const exchange = (turn: number): JsonObject[] => {
    const ids = Array.from({ length: width(turn) }, (_, index) => `call_${turn}_${index}`)
    const report = [...says(prose(20, `report${turn}`)), user(prose(15, `wish${turn}`))]
    return [...calls(ids), ...results(ids, 40), ...(turn % 2 === 1 ? report : [])]
  }
  return [
    user('The task.'),
    ...Array.from({ length: turns }, (_, turn) => exchange(turn)).flat(),
    ...says('All of it is done.'),
    user('And now?'),
  ]
}
