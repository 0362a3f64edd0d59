import { asArray, asRecord, isRecord, type JsonRecord } from '../wire-rules/json.ts'
import { openaiError } from './openai-errors.ts'
import { inputItemsOf } from './openai-responses.ts'
import type { Reply } from './types.ts'

/** Conversations that a provider keeps, so that a request needs to bring only what is new. */
export interface StoredConversations {
  /** The request with all that it refers to in its place, or the provider's refusal. */
  readonly resolve: (
    body: JsonRecord,
  ) => { readonly body: JsonRecord } | { readonly refusal: Reply }
  readonly remember: (resolved: JsonRecord, response: JsonRecord) => void
}

/** What the Responses API keeps unless `store` is false: items by their ids, and responses with all before them. */
export function createStoredResponses(): StoredConversations {
  const items = new Map<string, unknown>()
  const conversations = new Map<string, readonly unknown[]>()

  function find(item: unknown): unknown {
    const { type, id } = asRecord(item)
    return type === 'item_reference' ? items.get(String(id)) : item
  }

  return {
    resolve: (body) => {
      const { previous_response_id: previous, ...rest } = body
      const before =
        previous === undefined || previous === null ? [] : conversations.get(String(previous))
      if (before === undefined) {
        const message = `Previous response with id '${previous}' not found.`
        const param = 'previous_response_id'
        return { refusal: openaiError(400, message, param, 'previous_response_not_found') }
      }
      const input = [...before, ...inputItemsOf(body)]
      const missing = input.find((item) => find(item) === undefined)
      if (missing !== undefined) {
        return {
          refusal: openaiError(404, `Item with id '${asRecord(missing).id}' not found.`, 'input'),
        }
      }
      return { body: { ...rest, input: input.map(find) } }
    },
    remember: (resolved, response) => {
      if (resolved.store === false) return
      const output = asArray(response.output)
      for (const item of output) if (isRecord(item)) items.set(String(item.id), item)
      conversations.set(String(response.id), [...asArray(resolved.input), ...output])
    },
  }
}
