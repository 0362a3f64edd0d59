import { get_encoding, type Tiktoken } from 'tiktoken'
import { isRecord } from '../wire-rules/json.ts'

/** OpenAI's cookbook, "How to count tokens": what each message costs beside its words. */
const TOKENS_PER_OBJECT = 3

/** Anthropic's guide to vision: about width x height / 750; the cost of a picture of a megapixel. */
const TOKENS_PER_PICTURE = 1_334

/** Longer than any identifier and without a space: bytes of a picture, which no model reads as text. */
const ENCODED_BYTES = /^(?:data:[^,]{1,100},)?[A-Za-z0-9+/=_-]{2000,}$/

let encoding: Tiktoken | undefined

/** By OpenAI's own tokeniser, so that nothing here shares a line with the counter of the service. */
export function countTextTokens(text: string): number {
  encoding ??= get_encoding('o200k_base')
  return encoding.encode_ordinary(text).length
}

/**
 * Tokens of everything that the model reads: each text and each number in it, and a few for each
 * object. Keys are not counted, except in the parameters of tools, of which they are the substance.
 */
export function countPromptTokens(value: unknown): number {
  if (typeof value === 'string') {
    return ENCODED_BYTES.test(value) ? TOKENS_PER_PICTURE : countTextTokens(value)
  }
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return sum(value)
  if (!isRecord(value)) return 0
  const keys = 'properties' in value ? countTextTokens(JSON.stringify(Object.keys(value))) : 0
  return TOKENS_PER_OBJECT + keys + sum(Object.values(value))
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + countPromptTokens(value), 0)
}
