import type { ErrorFields } from './error-fields.ts'
import { readErrorFields } from './error-fields.ts'
import { type OverflowNumbers, readOverflowNumbers } from './numbers.ts'

/** The upstream says that the conversation is too long for it. */
export type Overflow = OverflowNumbers

/** Statuses with which servers refuse a conversation for its length. 429 is never one. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

export function mayBeOverflow(status: number): boolean {
  return STATUSES.has(status)
}

/** Words of servers for exactly this. Whose they are: docs/proxy.md. */
const OVERFLOW_KINDS: ReadonlySet<string> = new Set([
  // OpenAI, Azure, Groq, Cerebras
  'context_length_exceeded',
  // Azure, in places
  'content_length_exceeded',
  // llama.cpp
  'exceed_context_size_error',
  // ds4
  'context_exceeded',
  // GitHub Copilot
  'model_max_prompt_tokens_exceeded',
  // Anthropic, 413: too many bytes, which compaction makes fewer
  'request_too_large',
  // Mistral
  '3051',
])

/** Words of servers for what passes with time, or is not about this request. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'rate_limit_error',
  'rate_limit',
  'rate_limited',
  'tokens',
  'requests',
  'insufficient_quota',
  'quota_exceeded',
  'resource_exhausted',
  'too_many_requests',
  'throttlingexception',
  // One text is too long, whatever the rest is.
  'string_above_max_length',
  'authentication_error',
  'permission_error',
])

/** A limit per time, of one answer, of a picture or of a word: not of the conversation. */
const OTHER_WORDS =
  /per (?:minute|hour|day|second)|\b[tr]p[mdh]\b|rate.?limit|\bquota\b|completion tokens|output tokens (?:allowed|exceed)|image|password/i

/**
 * Sentences of servers whose errors have no word of their own for it. Each ties the prompt to the
 * limit of the context, so that "too many tokens per minute" or "reduce the length of your password"
 * is none of them.
 */
const OVERFLOW_SENTENCES: readonly RegExp[] = [
  // Anthropic; Bedrock and Vertex with the same models
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  // Bedrock
  /input is too long for requested model/i,
  // OpenAI Responses, MiniMax, and what is built on them
  /exceeds? the (?:model's )?(?:maximum )?context (?:window|length|limit)/i,
  /context window exceeds limit/i,
  /input tokens exceed the configured limit/i,
  // OpenAI's first form, vLLM, SGLang, DeepSeek, OpenRouter, LM Studio
  /(?:maximum|model's|model|loaded with) context (?:length|window|size)(?: of| is|\b)/i,
  /greater than the (?:maximum )?context (?:length|window|size)/i,
  // Groq, Cerebras
  /reduce the length of the (?:messages|input|prompt)/i,
  // Gemini, Vertex
  /input token count .{0,40}(?:exceeds|but model only supports)/i,
  // xAI
  /maximum prompt length is \d/i,
  // llama.cpp
  /exceeds the available context size/i,
  // Copilot, Kimi, Cohere
  /prompt token count of \d+ exceeds/i,
  /exceeded model token limit/i,
  /total number of tokens in the prompt cannot exceed/i,
  // Text Generation Inference, Together
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
  /`?inputs`? must have less than \d+ tokens/i,
  // Ollama
  /prompt too long; exceeded (?:max )?context length/i,
  /input length exceeds (?:the |maximum )?context length/i,
  // Qwen
  /range of input length should be/i,
  // GLM
  /prompt exceeds max length/i,
]

/**
 * Whether an answer says that the conversation is too long, and by how much. Undefined for anything
 * else: another error must reach the caller, and a rate limit gets no better by asking again.
 *
 * @param body the answer's body, unpacked; empty where there is none
 */
export function recogniseOverflow(status: number, body: Buffer): Overflow | undefined {
  if (!mayBeOverflow(status)) return undefined
  const error = parse(body)
  // A bare 413 comes from a server in between, or from one that says no more.
  if (status === 413 && !isOfAnotherKind(readErrorFields(error))) return numbersOf(error)
  return overflowIn(error)
}

/** The same for an error that came without a status of its own, as an event of a stream. */
export function overflowIn(error: unknown): Overflow | undefined {
  const fields = readErrorFields(error)
  return !isOfAnotherKind(fields) && (isKnown(fields) || isSaid(fields))
    ? readOverflowNumbers(fields)
    : undefined
}

function numbersOf(error: unknown): Overflow {
  return readOverflowNumbers(readErrorFields(error))
}

function isKnown({ kinds }: ErrorFields): boolean {
  return [...OVERFLOW_KINDS].some((kind) => kinds.has(kind))
}

function isSaid({ messages }: ErrorFields): boolean {
  return messages.some((text) => OVERFLOW_SENTENCES.some((sentence) => sentence.test(text)))
}

function isOfAnotherKind(fields: ErrorFields): boolean {
  if (isKnown(fields)) return false
  if ([...OTHER_KINDS].some((kind) => fields.kinds.has(kind))) return true
  return !isSaid(fields) && fields.messages.some((text) => OTHER_WORDS.test(text))
}

function parse(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    // Servers in between answer in HTML or plain text: their words are read as a message.
    return { message: text }
  }
}
