import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import type { HostileShape } from './hostile-shapes.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const conversation = (...contents: readonly JsonValue[][]): JsonObject => ({
  contents: contents.flat(),
})
const alternating = (count: number, ...turn: readonly JsonObject[]): JsonObject =>
  conversation(...times(count, () => [...turn]))

const text = { text: 'word' }
const call = (id?: string, name = 'look'): JsonObject => ({
  functionCall: { name, args: {}, ...(id !== undefined && { id }) },
})
const response = (id?: string, name = 'look'): JsonObject => ({
  functionResponse: { name, response: { output: 'r' }, ...(id !== undefined && { id }) },
})
const user: JsonObject = { role: 'user', parts: [text] }
const says = (...parts: JsonObject[]): JsonObject => ({ role: 'model', parts })
const gives = (...parts: JsonObject[]): JsonObject => ({ role: 'function', parts })
const numbered = (count: number): string[] => times(count, (index) => `c${index}`)

/** Ids that look like the names which calls that use an id again are given. */
const takenNames = (count: number): string[] => [
  ...times(count, (index) => `a#${index + 2}`),
  ...times(count, () => 'a'),
]

export const GEMINI_HOSTILE_SHAPES: readonly HostileShape[] = [
  { name: 'taken names', build: (n) => conversation(takenNames(n).map((id) => says(call(id)))) },
  { name: 'one wide content', build: (n) => conversation([{ parts: times(n, () => text) }]) },
  { name: 'contents without parts', build: (n) => alternating(n, {}) },
  { name: 'contents that are none', build: (n) => conversation(times(n, () => null)) },
  { name: 'parts that are none', build: (n) => conversation([{ parts: times(n, () => null) }]) },
  {
    name: 'a part of many members',
    build: (n) => conversation([{ parts: [Object.fromEntries(times(n, (i) => [`m${i}`, i]))] }]),
  },
  {
    name: 'a wide response',
    build: (n) =>
      conversation([
        says(call()),
        gives({
          functionResponse: {
            name: 'look',
            response: Object.fromEntries(times(n, (i) => [`m${i}`, 'r'])),
            parts: times(n, () => ({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })),
          },
        }),
      ]),
  },
  {
    name: 'a response that is almost base64',
    build: (n) =>
      conversation([
        gives({ functionResponse: { name: 'f', response: { a: `${'A\r\n='.repeat(n * 10)}!` } } }),
      ]),
  },
  {
    name: 'calls without ids, one by one',
    build: (n) => alternating(n, user, says(call()), gives(response())),
  },
  {
    name: 'a fan of calls without ids',
    build: (n) =>
      conversation(
        [user, says(...times(n, () => call()))],
        [gives(...times(n, () => response()))],
        [user],
      ),
  },
  {
    name: 'a fan of calls, answered backwards in a content each',
    build: (n) =>
      conversation(
        [user, says(...numbered(n).map((id) => call(id)))],
        numbered(n)
          .reverse()
          .map((id) => gives(response(id))),
        [user],
      ),
  },
  {
    name: 'calls of one name, then the responses',
    build: (n) =>
      conversation(
        times(n, () => says(call())),
        times(n, () => gives(response())),
        [user],
      ),
  },
  {
    name: 'calls of one name and many ids, answered by name and by id in turn',
    build: (n) =>
      conversation(
        numbered(n).map((id) => says(call(id))),
        numbered(n).map((id, index) => gives(response(index % 2 === 0 ? id : undefined))),
        [user],
      ),
  },
  {
    name: 'responses of one call',
    build: (n) =>
      conversation(
        [user, says(call('a'))],
        times(n, () => gives(response('a'))),
        [user],
      ),
  },
  {
    name: 'responses to nobody after an answer',
    build: (n) =>
      conversation(
        [user, says(text)],
        times(n, () => gives(response())),
        times(n, () => says(call())),
      ),
  },
  {
    name: 'only responses',
    build: (n) => conversation(numbered(n).map((id) => gives(response(id)))),
  },
  {
    name: 'one long loop after an answer',
    build: (n) =>
      conversation([user, says(text), user], ...times(n, () => [says(call()), gives(response())]), [
        user,
      ]),
  },
  {
    name: 'many turns of calls and answers',
    build: (n) => alternating(n, user, says(call()), gives(response()), says(text)),
  },
  {
    name: 'tools at Google, answered contents later',
    build: (n) =>
      conversation(
        numbered(n).map((id) => says({ toolCall: { id } })),
        numbered(n).map((id) => says({ toolResponse: { id } })),
      ),
  },
  {
    name: 'results of one program',
    build: (n) =>
      conversation([
        says({ executableCode: {} }, ...times(n, () => ({ codeExecutionResult: {} }))),
      ]),
  },
  {
    name: 'unsigned steps of one turn',
    build: (n) => ({
      model: 'gemini-3-pro',
      ...conversation([user], ...times(n, () => [says(call()), gives(response())])),
    }),
  },
  {
    name: 'many parts of the instructions',
    build: (n) => ({ ...conversation([user]), systemInstruction: { parts: times(n, () => text) } }),
  },
]
