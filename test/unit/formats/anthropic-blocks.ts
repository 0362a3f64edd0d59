/** Messages and blocks of the Messages API, as small as they can be. */
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'

export const user = (content: JsonValue = 'u'): JsonObject => ({ role: 'user', content })
export const assistant = (...content: JsonValue[]): JsonObject => ({ role: 'assistant', content })
export const system = (content: JsonValue = 's'): JsonObject => ({ role: 'system', content })

export const text: JsonObject = { type: 'text', text: 't' }
export const thinking: JsonObject = { type: 'thinking', thinking: 'hm', signature: 's' }
export const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
export const result = (id: string): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'r',
})
export const serverCall = (id: string): JsonObject => ({
  type: 'server_tool_use',
  id: `srvtoolu_${id}`,
  name: 'web_search',
  input: {},
})
export const serverResult = (id: string): JsonObject => ({
  type: 'web_search_tool_result',
  tool_use_id: `srvtoolu_${id}`,
  content: [],
})
export const compaction = (content: JsonValue): JsonObject => ({ type: 'compaction', content })

export const cached = (value: JsonObject, ttl?: string): JsonObject => ({
  ...value,
  cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) },
})
