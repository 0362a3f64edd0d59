import type { Mutation } from './broken.ts'
import { breakOpenaiNames, breakOpenaiParts } from './broken-openai-chat-members.ts'
import { insertAt, removeAt, replaceAt, toolCallsOf } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Every single change that this file knows to break an OpenAI chat conversation. */
export function breakOpenaiChat(messages: readonly JsonObject[]): Mutation[] {
  return messages.flatMap((message, index) => [
    ...breakPlain(messages, message, index),
    ...breakExchange(messages, message, index),
    ...breakFunction(messages, message, index),
    ...breakOpenaiParts(messages, message, index),
    ...breakOpenaiNames(messages, message, index),
  ])
}

/** A message that neither asks a tool nor answers for one: something may be put behind it. */
function isPlain(message: JsonObject | undefined): boolean {
  if (message === undefined) return false
  const answers = message.role === 'tool' || message.role === 'function'
  return !answers && toolCallsOf(message).length === 0 && message.function_call === undefined
}

function breakPlain(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  if (!isPlain(message)) return []
  const at = `/messages/${index}`
  const orphan = { role: 'tool', tool_call_id: 'call_nobody', content: 'stray' }
  const mutations: Mutation[] = [
    {
      name: 'result-without-call',
      write: () => insertAt(messages, index + 1, orphan),
      faults: [{ rule: 'result-without-call', pointer: `/messages/${index + 1}` }],
    },
    {
      name: 'orphan-function-result',
      write: () => insertAt(messages, index + 1, { role: 'function', name: 'gone', content: 'x' }),
      faults: [{ rule: 'result-without-call', pointer: `/messages/${index + 1}` }],
    },
    {
      name: 'known-role',
      write: () => replaceAt(messages, index, { ...message, role: 'narrator' }),
      faults: [{ rule: 'known-role', pointer: `${at}/role` }],
    },
  ]
  if (message.role === 'user') {
    mutations.push({
      name: 'empty-content',
      write: () => replaceAt(messages, index, { ...message, content: '' }),
      faults: [{ rule: 'empty-content', pointer: `${at}/content` }],
    })
  }
  if (message.role === 'assistant' && message.content !== null) {
    mutations.push(
      {
        name: 'missing-content',
        write: () => replaceAt(messages, index, { ...message, content: null }),
        faults: [{ rule: 'empty-content', pointer: `${at}/content` }],
      },
      {
        name: 'empty-tool-calls',
        write: () => replaceAt(messages, index, { ...message, tool_calls: [] }),
        faults: [{ rule: 'empty-tool-calls', pointer: `${at}/tool_calls` }],
      },
    )
  }
  return mutations
}

function breakExchange(
  messages: readonly JsonObject[],
  message: JsonObject,
  start: number,
): Mutation[] {
  const calls = toolCallsOf(message)
  let end = start + 1
  while (messages[end]?.role === 'tool') end += 1
  // At the tail the same change would leave calls pending, which is allowed.
  if (calls.length === 0 || end === messages.length) return []
  const mutations: Mutation[] = []
  for (let index = start + 1; index < end; index += 1) {
    const result = messages[index] ?? {}
    const call = calls.findIndex(({ id }) => id === result.tool_call_id)
    const missing = {
      rule: 'call-without-result',
      pointer: `/messages/${start}/tool_calls/${call}`,
    }
    mutations.push(
      { name: 'call-without-result', write: () => removeAt(messages, index), faults: [missing] },
      {
        name: 'duplicate-result',
        write: () => insertAt(messages, end, result),
        faults: [{ rule: 'duplicate-result', pointer: `/messages/${end}` }],
      },
    )
    if (isPlain(messages[end])) {
      mutations.push({
        name: 'moved-result',
        write: () => insertAt(removeAt(messages, index), end, result),
        faults: [missing, { rule: 'result-without-call', pointer: `/messages/${end}` }],
      })
    }
  }
  if (calls.length === 1 && isPlain(messages[start - 1])) {
    mutations.push({
      name: 'removed-call',
      write: () => removeAt(messages, start),
      faults: [{ rule: 'result-without-call', pointer: `/messages/${start}` }],
    })
  }
  return mutations
}

function breakFunction(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const isAnswered = messages[index + 1]?.role === 'function'
  const isTail = index + 2 >= messages.length
  if (message.function_call === undefined || !isAnswered || isTail) return []
  return [
    {
      name: 'missing-function-result',
      write: () => removeAt(messages, index + 1),
      faults: [{ rule: 'call-without-result', pointer: `/messages/${index}/function_call` }],
    },
  ]
}
