import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { HostileShape } from './hostile-shapes.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const numbered = (count: number): string[] => times(count, (index) => `c${index}`)
const conversation = (...messages: readonly JsonObject[][]): JsonObject => ({
  messages: messages.flat(),
})

const user: JsonObject = { role: 'user', content: 'and then?' }
const says = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const gives = (...content: JsonObject[]): JsonObject => ({ role: 'tool', content })
const call = (toolCallId: string): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: {},
})
const result = (toolCallId: string): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'look',
  output: { type: 'text', value: 'r' },
})
const request = (id: string): JsonObject => ({
  type: 'tool-approval-request',
  approvalId: `approve-${id}`,
  toolCallId: id,
})
const response = (id: string): JsonObject => ({
  type: 'tool-approval-response',
  approvalId: `approve-${id}`,
  approved: true,
})
const thought: JsonObject = { type: 'reasoning', text: 't' }

/** Ids that look like the names which calls that use an id again are given. */
const takenNames = (count: number): string[] => [
  ...times(count, (index) => `a#${index + 2}`),
  ...times(count, () => 'a'),
]

export const AI_SDK_HOSTILE_SHAPES: readonly HostileShape[] = [
  { name: 'taken names', build: (n) => conversation(takenNames(n).map((id) => says(call(id)))) },
  {
    name: 'taken names in one message',
    build: (n) => conversation([says(...takenNames(n).map(call))]),
  },
  {
    name: 'one id for all',
    build: (n) => conversation(...times(n, () => [says(call('a')), gives(result('a')), user])),
  },
  {
    name: 'one id for all calls, then the results',
    build: (n) =>
      conversation(
        times(n, () => says(call('a'))),
        times(n, () => gives(result('a'))),
      ),
  },
  {
    name: 'a fan of calls, answered backwards after text',
    build: (n) =>
      conversation(
        [says(...numbered(n).map(call)), user],
        numbered(n)
          .reverse()
          .map((id) => gives(result(id))),
      ),
  },
  {
    name: 'a fan of calls, then texts',
    build: (n) =>
      conversation(
        [says(...numbered(n).map(call))],
        times(n, () => user),
      ),
  },
  {
    name: 'a call that waits, then answers of others',
    build: (n) =>
      conversation(
        [user, says(...numbered(n).map(call))],
        [
          ...numbered(n)
            .slice(1)
            .map((id) => gives(result(id))),
        ],
      ),
  },
  {
    name: 'approvals, asked at once and answered one by one',
    build: (n) =>
      conversation(
        [says(...numbered(n).flatMap((id) => [call(id), request(id)]))],
        numbered(n).map((id) => gives(response(id))),
        numbered(n).map((id) => gives(result(id))),
      ),
  },
  {
    name: 'one approval for all',
    build: (n) =>
      conversation(...times(n, () => [says(call('a'), request('a')), gives(response('a'))])),
  },
  {
    name: 'approvals of nothing',
    build: (n) => conversation(numbered(n).map((id) => gives(response(id)))),
  },
  {
    name: 'results without calls',
    build: (n) => conversation(...numbered(n).map((id) => [gives(result(id)), user])),
  },
  {
    name: 'one turn of thinking',
    build: (n) =>
      conversation(
        [user],
        times(n, () => says(thought)),
      ),
  },
  {
    name: 'one message of thinking',
    build: (n) => conversation([says(...times(n, () => thought))]),
  },
  {
    name: 'a wide output',
    build: (n) =>
      conversation([
        says(call('a')),
        gives({
          ...result('a'),
          output: { type: 'content', value: times(n, () => ({ type: 'text', text: 'word' })) },
        }),
      ]),
  },
  {
    name: 'a wide output of unknown items',
    build: (n) =>
      conversation([
        says(call('a')),
        gives({
          ...result('a'),
          output: { type: 'content', value: times(n, () => ({ type: 'x' })) },
        }),
      ]),
  },
  {
    name: 'many system messages beside',
    build: (n) => ({
      ...conversation([user]),
      system: times(n, () => ({ role: 'system', content: 's' })),
    }),
  },
  {
    name: 'messages of a page',
    build: (n) =>
      conversation(
        times(n, () => ({ id: 'x', role: 'user', parts: [{ type: 'text', text: 'word' }] })),
      ),
  },
]
