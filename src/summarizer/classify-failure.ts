import type { SummarizeFailure } from '../engine/ports.ts'
import { classifyStatus } from '../outbound/failure.ts'
import { isRecord, type JsonRecord } from './json-value.ts'

/**
 * Names in `error.type` and `error.code` that say more than the status does, in the vocabularies of
 * OpenAI, Azure, GitHub Models, llama.cpp and Anthropic. Everything else is decided by the status.
 */
const FAILURE_BY_NAME: ReadonlyMap<string, SummarizeFailure> = new Map([
  ['context_length_exceeded', 'max-tokens-exceeded'],
  ['exceed_context_size_error', 'max-tokens-exceeded'],
  ['tokens_limit_reached', 'max-tokens-exceeded'],
  ['string_above_max_length', 'max-tokens-exceeded'],
  ['request_too_large', 'max-tokens-exceeded'],
  ['invalid_api_key', 'authentication'],
  ['authentication_error', 'authentication'],
  ['permission_error', 'authentication'],
  ['billing_error', 'authentication'],
  // A 429 at OpenAI, but waiting does not fill the account: like a wrong key, it is the operator's.
  ['insufficient_quota', 'authentication'],
  ['rate_limit_exceeded', 'rate-limit'],
  ['rate_limit_error', 'rate-limit'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
] as const)

/**
 * Most servers report a prompt that is too long as a plain invalid request and say why in prose only.
 * Asked of 400, 413 and 422 alone, and only after the structured members had nothing to say. From
 * Anthropic, OpenAI and vLLM, llama.cpp, Bedrock and Gemini, in this order.
 */
const TOO_LONG_PHRASES = [
  'prompt is too long',
  'exceed context limit',
  'maximum context length',
  'exceeds the available context size',
  'input is too long',
  'exceeds the maximum number of tokens',
] as const

/** Chars of a message that are looked at: some servers echo the whole prompt. */
const MAX_MESSAGE_CHARS = 2_000

/**
 * Why a request failed, from an answer that is not a summary.
 *
 * @param status HTTP status; a 2xx means that the body was not an answer of the dialect
 * @param payload the parsed body, undefined when it was not JSON
 */
export const classifyFailure = (status: number, payload: unknown): SummarizeFailure => {
  const error = readError(payload)
  const named = error === undefined ? undefined : failureByName(error)
  if (named !== undefined) return named
  // Routers (OpenRouter) answer 200 before they know, and put the provider's status into the body.
  const effective = status < 300 ? statusInBody(error) : status
  if (effective === undefined) return 'malformed-response'
  if (error !== undefined && saysTooLong(effective, error)) return 'max-tokens-exceeded'
  return classifyStatus(effective)
}

/** `{error: {…}}` (OpenAI, Anthropic), `[{error: {…}}]` (Gemini), or the members themselves (vLLM). */
const readError = (payload: unknown): JsonRecord | undefined => {
  const body: unknown = Array.isArray(payload) ? payload[0] : payload
  if (!isRecord(body)) return undefined
  if (isRecord(body.error)) return body.error
  if (typeof body.error === 'string') return { message: body.error }
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined
  if (isRecord(choice) && isRecord(choice.error)) return choice.error
  return body.object === 'error' ? body : undefined
}

/** The code is asked first: it is the narrower of the two wherever both are given. */
const failureByName = (error: JsonRecord): SummarizeFailure | undefined =>
  nameToFailure(error.code) ?? nameToFailure(error.type)

const nameToFailure = (name: unknown): SummarizeFailure | undefined =>
  typeof name === 'string' ? FAILURE_BY_NAME.get(name) : undefined

const statusInBody = (error: JsonRecord | undefined): number | undefined => {
  const status = Number(error?.code)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}

const saysTooLong = (status: number, error: JsonRecord): boolean => {
  if (status !== 400 && status !== 413 && status !== 422) return false
  if (typeof error.message !== 'string') return false
  const message = error.message.slice(0, MAX_MESSAGE_CHARS).toLowerCase()
  return TOO_LONG_PHRASES.some((phrase) => message.includes(phrase))
}
