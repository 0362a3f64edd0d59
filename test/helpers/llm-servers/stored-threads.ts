import { asArray, asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { anthropicError } from './anthropic-messages.ts'
import type { StoredConversations } from './stored-responses.ts'

/**
 * What the Messages API keeps of a thread, under the id of each response: all messages up to it, the
 * instructions and the tools. The official SDK's tool runner works with threads unless told not to.
 */
export function createStoredThreads(): StoredConversations {
  const threads = new Map<string, JsonRecord>()

  return {
    resolve: (body) => {
      const { type, previous_message_id: previous } = asRecord(body.thread)
      const held = type === 'continue' ? threads.get(String(previous)) : {}
      if (held === undefined) {
        const message = `thread.previous_message_id: no thread for ${previous}`
        return { refusal: anthropicError(404, message) }
      }
      const messages = [...asArray(held.messages), ...asArray(body.messages)]
      return { body: { ...held, ...body, messages } }
    },
    remember: ({ thread, messages, system, tools }, { id, role, content }) => {
      if (thread === undefined || thread === null) return
      threads.set(String(id), {
        ...(system !== undefined && { system }),
        ...(tools !== undefined && { tools }),
        messages: [...asArray(messages), { role, content }],
      })
    },
  }
}
