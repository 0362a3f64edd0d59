import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import type { FormatId } from '../../../src/formats/adapter.ts'
import { AI_SDK_HOSTILE_SHAPES } from './ai-sdk-hostile-shapes.ts'
import { GEMINI_HOSTILE_SHAPES } from './gemini-hostile-shapes.ts'
import { asInput, OPENAI_RESPONSES_HOSTILE_SHAPES } from './openai-responses-hostile-shapes.ts'

/** A conversation of a size that grows with `count`, made to be as much work as it can. */
export interface HostileShape {
  readonly name: string
  readonly build: (count: number) => JsonObject
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const user = { role: 'user', content: 'and then?' }
const text = { type: 'text', text: 'word' }
const conversation = (...messages: readonly JsonValue[][]): JsonObject => ({
  messages: messages.flat(),
})
const alternating = (count: number, ...turn: readonly JsonObject[]): JsonObject =>
  conversation(...times(count, () => [...turn]))

/** Ids that look like the names which calls that use an id again are given. */
const takenNames = (count: number): string[] => [
  ...times(count, (index) => `a#${index + 2}`),
  ...times(count, () => 'a'),
]

const everywhere: readonly HostileShape[] = [
  {
    name: 'one wide content',
    build: (n) => conversation([{ role: 'user', content: times(n, () => text) }]),
  },
  { name: 'messages of one role', build: (n) => alternating(n, user) },
  { name: 'messages without a role', build: (n) => alternating(n, {}) },
  { name: 'messages that are none', build: (n) => conversation(times(n, () => null)) },
  { name: 'empty contents', build: (n) => alternating(n, { role: 'assistant', content: '' }) },
  { name: 'instructions only', build: (n) => alternating(n, { role: 'system', content: 's' }) },
  {
    name: 'instructions after every turn',
    build: (n) => alternating(n, user, { role: 'system', content: 's' }),
  },
  {
    name: 'unknown blocks, each wide',
    build: (n) =>
      conversation([{ role: 'user', content: [{ type: 'x', y: times(n, (i) => `${i}`) }] }]),
  },
  {
    name: 'a message of many members',
    build: (n) => conversation([{ ...user, ...Object.fromEntries(times(n, (i) => [`m${i}`, i])) }]),
  },
  {
    name: 'many tools',
    build: (n) => ({ messages: [user], tools: times(n, (i) => ({ name: `t${i}` })) }),
  },
  {
    name: 'one long text',
    build: (n) => conversation([{ role: 'user', content: ' \n#['.repeat(n * 10) }]),
  },
  {
    name: 'almost base64',
    build: (n) =>
      conversation([{ role: 'user', content: [{ type: 'x', y: `${'A\r\n='.repeat(n * 10)}!` }] }]),
  },
]

const call = (id: string): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
})
const calling = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
})
const answering = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'r' })
const numbered = (count: number): string[] => times(count, (index) => `c${index}`)

const openaiChat: readonly HostileShape[] = [
  { name: 'taken names', build: (n) => conversation(takenNames(n).map((id) => calling(id))) },
  { name: 'taken names in one message', build: (n) => conversation([calling(...takenNames(n))]) },
  { name: 'one id for all', build: (n) => alternating(n, calling('a'), answering('a'), user) },
  {
    name: 'one id for all calls, then the results',
    build: (n) =>
      conversation(
        times(n, () => calling('a')),
        times(n, () => answering('a')),
      ),
  },
  {
    name: 'a fan of calls',
    build: (n) => conversation([calling(...numbered(n))], numbered(n).map(answering), [user]),
  },
  {
    name: 'a fan of calls, answered backwards after text',
    build: (n) =>
      conversation([calling(...numbered(n)), user], numbered(n).reverse().map(answering)),
  },
  {
    name: 'a call without results, then texts',
    build: (n) =>
      conversation(
        [calling(...numbered(n))],
        times(n, () => user),
      ),
  },
  { name: 'results without calls', build: (n) => conversation(numbered(n).map(answering), [user]) },
  {
    name: 'results of one call',
    build: (n) =>
      conversation(
        [calling('a')],
        times(n, () => answering('a')),
      ),
  },
  {
    name: 'functions of one name',
    build: (n) =>
      alternating(
        n,
        { role: 'assistant', function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'f', content: '' },
      ),
  },
  {
    name: 'calls that are none',
    build: (n) => conversation([{ role: 'assistant', tool_calls: times(n, () => null) }]),
  },
]

const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'r' })
const server = (id: string): JsonObject => ({ type: 'server_tool_use', id, name: 's', input: {} })
const found = (id: string): JsonObject => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [],
})
const thought = { type: 'thinking', thinking: 't', signature: 's' }
const says = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const gives = (...content: JsonObject[]): JsonObject => ({ role: 'user', content })

const anthropicMessages: readonly HostileShape[] = [
  { name: 'taken names', build: (n) => conversation(takenNames(n).map((id) => says(use(id)))) },
  {
    name: 'taken names of server tools',
    build: (n) => conversation([says(...takenNames(n).map(server))]),
  },
  { name: 'one id for all', build: (n) => alternating(n, says(use('a')), gives(result('a'))) },
  {
    name: 'a fan of calls',
    build: (n) => conversation([says(...numbered(n).map(use)), gives(...numbered(n).map(result))]),
  },
  {
    name: 'a fan of calls over many messages',
    build: (n) =>
      conversation(
        numbered(n).map((id) => says(thought, use(id))),
        numbered(n).map((id) => gives(result(id))),
      ),
  },
  {
    name: 'a call without results, then texts',
    build: (n) =>
      conversation([says(...numbered(n).map(use))], ...times(n, () => [user, says(text)])),
  },
  {
    name: 'results without calls',
    build: (n) => conversation(...numbered(n).map((id) => [says(text), gives(result(id))])),
  },
  {
    name: 'server tools, answered turns later',
    build: (n) =>
      conversation(
        ...numbered(n).map((id) => [says(server(id)), user]),
        numbered(n).map((id) => says(found(id))),
      ),
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
    name: 'a wide result',
    build: (n) =>
      conversation([says(use('a')), gives({ ...result('a'), content: times(n, () => text) })]),
  },
  {
    name: 'a wide result of unknown blocks',
    build: (n) =>
      conversation([
        says(use('a')),
        gives({ ...result('a'), content: times(n, () => ({ type: 'x' })) }),
      ]),
  },
  {
    name: 'results after texts',
    build: (n) => conversation([gives(...times(n, (i) => (i % 2 === 0 ? text : result('a'))))]),
  },
  {
    name: 'many parts of the system',
    build: (n) => ({ ...conversation([user]), system: times(n, () => text) }),
  },
  {
    name: 'results, then instructions',
    build: (n) =>
      conversation(
        [says(use('a'))],
        ...times(n, () => [gives(result('a')), { role: 'system', content: 's' }]),
      ),
  },
]

const toolCall = (toolCallId?: string): JsonObject => ({
  role: 'tool_call',
  content: '',
  tool: 'look',
  args: {},
  ...(toolCallId !== undefined && { toolCallId }),
})
const toolResult = (toolCallId?: string): JsonObject => ({
  role: 'tool_result',
  content: 'r',
  ...(toolCallId !== undefined && { toolCallId }),
})

const neurolink: readonly HostileShape[] = [
  { name: 'taken names', build: (n) => conversation(takenNames(n).map(toolCall)) },
  {
    name: 'id-less calls, answered one by one',
    build: (n) =>
      conversation(
        times(n, () => toolCall()),
        ...times(n, () => [user, toolResult()]),
      ),
  },
  {
    name: 'calls without ids and their results',
    build: (n) =>
      conversation(
        times(n, () => toolCall()),
        times(n, () => toolResult()),
      ),
  },
  { name: 'steps without ids', build: (n) => alternating(n, toolCall(), toolResult()) },
  { name: 'calls without results between texts', build: (n) => alternating(n, toolCall(), user) },
  { name: 'results without calls', build: (n) => alternating(n, user, toolResult()) },
  { name: 'one id for all', build: (n) => alternating(n, toolCall('a'), toolResult('a'), user) },
  {
    name: 'results of one call',
    build: (n) => conversation([toolCall('a')], ...times(n, () => [user, toolResult('a')])),
  },
  { name: 'one id for all messages', build: (n) => alternating(n, { ...user, id: 'x' }) },
  {
    name: 'ids like those of insertions',
    build: (n) => conversation(times(n, (i) => ({ ...user, id: `truncation-marker-2-${i}` }))),
  },
]

export const HOSTILE_SHAPES: Readonly<Record<FormatId, readonly HostileShape[]>> = {
  'openai-chat': [...everywhere, ...openaiChat],
  'anthropic-messages': [...everywhere, ...anthropicMessages],
  neurolink: [...everywhere, ...neurolink],
  'openai-responses': [...everywhere.map(asInput), ...OPENAI_RESPONSES_HOSTILE_SHAPES],
  'ai-sdk': [...everywhere, ...AI_SDK_HOSTILE_SHAPES],
  gemini: GEMINI_HOSTILE_SHAPES,
}
