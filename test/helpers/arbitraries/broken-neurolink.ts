import type { Mutation } from './broken.ts'
import { insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Every single change that this file knows to break a NeuroLink conversation. */
export function breakNeurolink(messages: readonly JsonObject[]): Mutation[] {
  return messages.flatMap((message, index) => [
    ...breakIdentity(messages, message, index),
    ...breakPlain(messages, message, index),
    ...(startsBatch(messages, index) ? breakBatch(messages, index) : []),
  ])
}

function isPlain(message: JsonObject | undefined): boolean {
  return message !== undefined && message.role !== 'tool_call' && message.role !== 'tool_result'
}

function startsBatch(messages: readonly JsonObject[], index: number): boolean {
  return messages[index]?.role === 'tool_call' && messages[index - 1]?.role !== 'tool_call'
}

function breakIdentity(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const pointer = `/messages/${index}/id`
  const { id: _, ...nameless } = message
  const mutations: Mutation[] = [
    {
      name: 'missing-message-id',
      write: () => replaceAt(messages, index, nameless),
      faults: [{ rule: 'missing-message-id', pointer }],
    },
  ]
  const previous = messages[index - 1]
  if (previous !== undefined) {
    mutations.push({
      name: 'duplicate-message-id',
      write: () => replaceAt(messages, index, { ...message, id: previous.id }),
      faults: [{ rule: 'duplicate-message-id', pointer }],
    })
  }
  return mutations
}

function breakPlain(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  if (!isPlain(message)) return []
  const at = `/messages/${index}`
  const orphan = { id: 'm-stray', role: 'tool_result', content: 'stray', toolCallId: 'call-nobody' }
  return [
    {
      name: 'unknown-role',
      write: () => replaceAt(messages, index, { ...message, role: 'tool' }),
      faults: [{ rule: 'unknown-role', pointer: `${at}/role` }],
    },
    {
      name: 'empty-content',
      write: () => replaceAt(messages, index, { ...message, content: '' }),
      faults: [{ rule: 'empty-content', pointer: `${at}/content` }],
    },
    {
      name: 'orphan-result',
      write: () => insertAt(messages, index + 1, orphan),
      faults: [{ rule: 'orphan-result', pointer: `/messages/${index + 1}` }],
    },
  ]
}

function breakBatch(messages: readonly JsonObject[], start: number): Mutation[] {
  let firstResult = start
  while (messages[firstResult]?.role === 'tool_call') firstResult += 1
  let end = firstResult
  while (messages[end]?.role === 'tool_result') end += 1
  // At the tail a lost result leaves its call pending; before other calls, two batches would merge.
  if (!isPlain(messages[end])) return []
  const batch = messages.slice(start, end)
  const byId = batch.every(({ toolCallId }) => typeof toolCallId === 'string')
  const last = end - 1
  const result = messages[last] ?? {}
  const call = byId
    ? start + batch.findIndex(({ toolCallId }) => toolCallId === result.toolCallId)
    : firstResult - 1
  const missing = { rule: 'missing-result', pointer: `/messages/${call}` }
  const copy = { ...result, id: 'm-copy' }
  const mutations: Mutation[] = [
    { name: 'missing-result', write: () => removeAt(messages, last), faults: [missing] },
    {
      name: 'moved-result',
      write: () => insertAt(removeAt(messages, last), end, result),
      faults: [missing, { rule: 'orphan-result', pointer: `/messages/${end}` }],
    },
    {
      name: 'duplicate-result',
      write: () => insertAt(messages, end, copy),
      faults: [{ rule: byId ? 'duplicate-result' : 'orphan-result', pointer: `/messages/${end}` }],
    },
    {
      name: 'mismatched-tool',
      write: () => replaceAt(messages, last, { ...result, tool: 'another_tool' }),
      faults: [{ rule: 'mismatched-tool', pointer: `/messages/${last}/tool` }],
    },
  ]
  if (firstResult === start + 1 && (start === 0 || isPlain(messages[start - 1]))) {
    mutations.push({
      name: 'removed-call',
      write: () => removeAt(messages, start),
      faults: [{ rule: 'orphan-result', pointer: `/messages/${start}` }],
    })
  }
  return mutations
}
