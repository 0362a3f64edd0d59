import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import type { HostileShape } from './hostile-shapes.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const user: JsonObject = { role: 'user', content: 'and then?' }
const call = (call_id: string): JsonObject => ({
  type: 'function_call',
  call_id,
  name: 'look',
  arguments: '{}',
})
const result = (call_id: string): JsonObject => ({
  type: 'function_call_output',
  call_id,
  output: 'r',
})
const shell = (id: string, call_id: string): JsonObject => ({
  type: 'local_shell_call',
  id,
  call_id,
  action: {},
})
const reasoning: JsonObject = { type: 'reasoning', summary: [], encrypted_content: 'x' }
const reference: JsonObject = { type: 'item_reference', id: 'x' }
const numbered = (count: number): string[] => times(count, (index) => `c${index}`)
const input = (...items: readonly JsonValue[][]): JsonObject => ({ input: items.flat() })
const alternating = (count: number, ...turn: readonly JsonObject[]): JsonObject =>
  input(...times(count, () => [...turn]))

/** A shape of the formats that keep their conversation in `messages`, as an input. */
export function asInput({ name, build }: HostileShape): HostileShape {
  return {
    name,
    build: (count) => {
      const { messages, ...beside } = build(count)
      return messages === undefined ? beside : { input: messages, ...beside }
    },
  }
}

export const OPENAI_RESPONSES_HOSTILE_SHAPES: readonly HostileShape[] = [
  {
    name: 'taken names',
    build: (n) => input([...times(n, (i) => `a#${i + 2}`), ...times(n, () => 'a')].map(call)),
  },
  { name: 'one id for all', build: (n) => alternating(n, call('a'), result('a'), user) },
  {
    name: 'one id for all calls, then the results',
    build: (n) =>
      input(
        times(n, () => call('a')),
        times(n, () => result('a')),
      ),
  },
  {
    name: 'one id for calls of two kinds',
    build: (n) =>
      alternating(n, call('a'), shell('a', 'a'), result('a'), {
        type: 'local_shell_call_output',
        id: 'a',
        output: '{}',
      }),
  },
  {
    name: 'calls with two names, answered by either',
    build: (n) =>
      input(
        numbered(n).map((id) => shell('a', id)),
        numbered(n).map((call_id) => ({ type: 'local_shell_call_output', call_id, output: '' })),
        times(n, () => ({ type: 'local_shell_call_output', id: 'a', output: '' })),
      ),
  },
  {
    name: 'a fan of calls after reasoning',
    build: (n) => input([reasoning], numbered(n).map(call), numbered(n).map(result), [user]),
  },
  {
    name: 'a fan of calls, answered backwards',
    build: (n) => input([reasoning], numbered(n).map(call), numbered(n).reverse().map(result)),
  },
  { name: 'a tail of waiting calls', build: (n) => input([user], numbered(n).map(call)) },
  {
    name: 'a call without a result, then texts',
    build: (n) =>
      input(
        [call('a')],
        times(n, () => user),
      ),
  },
  { name: 'results without calls', build: (n) => input(numbered(n).map(result), [user]) },
  {
    name: 'results of one call',
    build: (n) =>
      input(
        [call('a')],
        times(n, () => result('a')),
      ),
  },
  {
    name: 'nothing but reasoning',
    build: (n) => input(times(n, () => reasoning)),
  },
  { name: 'reasoning of nothing', build: (n) => alternating(n, reasoning, user) },
  { name: 'steps with reasoning', build: (n) => alternating(n, reasoning, call('a'), result('a')) },
  {
    name: 'nothing but references',
    build: (n) => input(times(n, () => reference)),
  },
  {
    name: 'references, and results of what they stand for',
    build: (n) => input(...numbered(n).map((id) => [reference, result(id)])),
  },
  {
    name: 'one program and its calls',
    build: (n) =>
      input(
        [{ type: 'program', call_id: 'p', code: '' }],
        ...numbered(n).map((id) => [
          { ...call(id), caller: { type: 'program', caller_id: 'p' } },
          { ...result(id), caller: { type: 'program', caller_id: 'p' } },
        ]),
      ),
  },
  {
    name: 'tool searches of the provider',
    build: (n) => alternating(n, { type: 'tool_search_call' }, { type: 'tool_search_output' }),
  },
  {
    name: 'calls of unknown kinds',
    build: (n) =>
      alternating(n, { type: 'x_call', call_id: 'a' }, { type: 'x_call_output', call_id: 'a' }),
  },
  {
    name: 'a wide result of unknown blocks',
    build: (n) =>
      input([call('a'), { ...result('a'), output: times(n, () => ({ type: 'x', y: 1 })) }]),
  },
  {
    name: 'a wide shell output',
    build: (n) =>
      input([
        { type: 'shell_call', call_id: 'a', action: {} },
        {
          type: 'shell_call_output',
          call_id: 'a',
          output: times(n, () => ({ stdout: 'o', stderr: 'e' })),
        },
      ]),
  },
  {
    name: 'a wide reasoning item',
    build: (n) =>
      input([
        { type: 'reasoning', summary: times(n, () => ({ type: 'summary_text', text: 't' })) },
        { role: 'assistant', content: 'a' },
      ]),
  },
  {
    name: 'a wide search',
    build: (n) =>
      input([{ type: 'file_search_call', results: times(n, () => ({ text: 'found' })) }]),
  },
  { name: 'items without a type', build: (n) => alternating(n, { id: 'x' }, {}) },
]
