import type { JsonObject } from '../../engine/transcript.ts'
import { isArray } from '../json.ts'

/** Where a part stands in its message. Reading and writing number the parts by this one list. */
export type Site =
  | { readonly at: 'reasoning'; readonly member: string }
  | { readonly at: 'content'; readonly block: number }
  /** The whole content of a tool or function message. */
  | { readonly at: 'result' }
  | { readonly at: 'refusal' }
  | { readonly at: 'audio' }
  | { readonly at: 'call'; readonly call: number }
  | { readonly at: 'function-call' }

/**
 * Reasoning as servers beside OpenAI send it back: `reasoning_content` (DeepSeek, vLLM), `reasoning`
 * and `reasoning_details` (OpenRouter), `thinking_blocks` (LiteLLM). Those that stand beside each
 * other say the same, so the first present counts.
 */
const REASONING = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
] as const

/** In the order in which a reader meets them. String content is block 0; empty strings are no part. */
export function sitesOf(message: JsonObject): Site[] {
  const { role, content } = message
  if (role === 'tool' || role === 'function') return [{ at: 'result' }]
  const sites: Site[] = []
  if (role === 'assistant') {
    const member = REASONING.find((name) => isPresent(message[name]))
    if (member !== undefined) sites.push({ at: 'reasoning', member })
  }
  const blocks = isArray(content) ? content.length : isPresent(content) ? 1 : 0
  for (let block = 0; block < blocks; block += 1) sites.push({ at: 'content', block })
  if (role !== 'assistant') return sites
  if (isPresent(message.refusal)) sites.push({ at: 'refusal' })
  if (isPresent(message.audio)) sites.push({ at: 'audio' })
  const calls = isArray(message.tool_calls) ? message.tool_calls.length : 0
  for (let call = 0; call < calls; call += 1) sites.push({ at: 'call', call })
  if (isPresent(message.function_call)) sites.push({ at: 'function-call' })
  return sites
}

function isPresent(value: JsonObject[string] | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}
