import type { Mutation } from './broken.ts'
import { breakAnthropicCache } from './broken-anthropic-messages-cache.ts'
import { breakAnthropicIds } from './broken-anthropic-messages-ids.ts'
import { breakAnthropicSystem } from './broken-anthropic-messages-system.ts'
import { contentBlocks, insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Every single change that this file knows to break an Anthropic Messages conversation. */
export function breakAnthropicMessages(
  messages: readonly JsonObject[],
  payload: JsonObject,
): Mutation[] {
  return [
    {
      name: 'first-role',
      write: () => insertAt(messages, 0, { role: 'assistant', content: 'Hello.' }),
      faults: [{ rule: 'first-role', pointer: '/messages/0' }],
    },
    ...breakAnthropicCache(messages, payload),
    ...breakAnthropicSystem(messages),
    ...messages.flatMap((message, index) => [
      ...breakAnthropicIds(messages, message, index),
      ...breakRequest(messages, message, index),
      ...breakThinking(messages, message, index),
      ...breakExchange(messages, message, index),
    ]),
  ]
}

const TEXT = { type: 'text', text: 'Noted.' }

function has(message: JsonObject | undefined, type: string): boolean {
  return contentBlocks(message).some((block) => block.type === type)
}

function breakRequest(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const isPlain = message.role === 'user' && !has(message, 'tool_result')
  if (!isPlain || has(messages[index - 1], 'tool_use')) return []
  const at = `/messages/${index}`
  const blocks = Array.isArray(message.content)
    ? contentBlocks(message)
    : [{ type: 'text', text: message.content }]
  const change = (members: JsonObject) => replaceAt(messages, index, { ...message, ...members })
  const orphan = { type: 'tool_result', tool_use_id: 'toolu_nobody', content: 'stray' }
  // As the first message, whose role is a matter of another rule too, it would be two faults in one.
  const unknownRole: Mutation = {
    name: 'known-role',
    write: () => change({ role: 'narrator' }),
    faults: [{ rule: 'known-role', pointer: `${at}/role` }],
  }
  return [
    ...(index > 0 ? [unknownRole] : []),
    {
      name: 'result-without-call',
      write: () => change({ content: [orphan, ...blocks] }),
      faults: [{ rule: 'result-without-call', pointer: `${at}/content/0` }],
    },
    {
      name: 'empty-content',
      write: () => change({ content: [] }),
      faults: [{ rule: 'empty-content', pointer: `${at}/content` }],
    },
    {
      name: 'empty-text',
      write: () => change({ content: [...blocks, { type: 'text', text: '' }] }),
      faults: [{ rule: 'empty-text', pointer: `${at}/content/${blocks.length}` }],
    },
  ]
}

function isThinking(block: JsonObject): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

function breakThinking(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const blocks = contentBlocks(message)
  const thoughts = blocks.filter(isThinking)
  const thought = blocks.findIndex((block) => block.type === 'thinking')
  const at = `/messages/${index}`
  const change = (content: JsonObject[]) => replaceAt(messages, index, { ...message, content })
  const mutations: Mutation[] = []
  if (thought >= 0) {
    const { signature: _, ...unsigned } = blocks[thought] ?? {}
    mutations.push({
      name: 'thinking-sealed',
      write: () => change(replaceAt(blocks, thought, unsigned)),
      faults: [{ rule: 'thinking-sealed', pointer: `${at}/content/${thought}` }],
    })
  }
  const last = thoughts.at(-1)
  if (last === undefined || has(message, 'tool_use')) return mutations
  return [
    ...mutations,
    {
      name: 'thinking-only',
      write: () => change(thoughts),
      faults: [{ rule: 'thinking-last', pointer: `${at}/content/${thoughts.length - 1}` }],
    },
    {
      name: 'thinking-last',
      write: () => change([...blocks, last]),
      faults: [{ rule: 'thinking-last', pointer: `${at}/content/${blocks.length}` }],
    },
  ]
}

function breakExchange(
  messages: readonly JsonObject[],
  asking: JsonObject,
  index: number,
): Mutation[] {
  const answering = messages[index + 1]
  // At the tail a lost result would leave its call pending, which is allowed.
  if (answering === undefined || index + 2 >= messages.length || !has(asking, 'tool_use')) return []
  const blocks = contentBlocks(answering)
  const results = blocks.filter((block) => block.type === 'tool_result')
  const at = `/messages/${index + 1}/content`
  const change = (content: JsonObject[]) =>
    replaceAt(messages, index + 1, { ...answering, content })
  const missing = (block: JsonObject | undefined) => {
    const call = contentBlocks(asking).findIndex(({ id }) => id === block?.tool_use_id)
    return { rule: 'call-without-result', pointer: `/messages/${index}/content/${call}` }
  }
  const mutations: Mutation[] = [
    {
      name: 'results-first',
      write: () => change([TEXT, ...blocks]),
      faults: [{ rule: 'results-first', pointer: `${at}/1` }],
    },
    {
      name: 'duplicate-result',
      write: () => change(insertAt(blocks, 1, { ...results[0], cache_control: null })),
      faults: [{ rule: 'duplicate-result', pointer: `${at}/1` }],
    },
  ]
  if (blocks.length > 1) {
    const position = results.length - 1
    mutations.push({
      name: 'call-without-result',
      write: () => change(removeAt(blocks, position)),
      faults: [missing(results[position])],
    })
  }
  const calls = contentBlocks(asking).filter(({ type }) => type === 'tool_use')
  if (calls.length === 1) {
    const again = { role: 'assistant', content: calls }
    const answer = { role: 'user', content: [{ ...results[0], cache_control: null }] }
    mutations.push({
      name: 'duplicate-call-id',
      write: () => insertAt(insertAt(messages, index + 2, again), index + 3, answer),
      faults: [{ rule: 'duplicate-call-id', pointer: `/messages/${index + 2}/content/0` }],
    })
  }
  return mutations
}
