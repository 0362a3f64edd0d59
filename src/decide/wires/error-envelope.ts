import { classifyStatus, type StatusFailure } from '../../outbound/failure.ts'
import { isRecord } from './json.ts'

/**
 * Names in error bodies that say more than the status. System One servers write `detail.error_type`,
 * TEI `error_type`; gateways in front of them, and OpenAI, write `error.code` and `error.type`. Any
 * gateway may stand before any wire, so each wire reads all of them.
 */
const FAILURE_BY_NAME: ReadonlyMap<unknown, StatusFailure> = new Map<unknown, StatusFailure>([
  ['max_tokens_exceeded', 'max-tokens-exceeded'],
  ['context_length_exceeded', 'max-tokens-exceeded'],
  ['string_above_max_length', 'max-tokens-exceeded'],
  // llama.cpp's `type`, and vLLM's `param`: its `code` only repeats the status.
  ['exceed_context_size_error', 'max-tokens-exceeded'],
  ['input_tokens', 'max-tokens-exceeded'],
  ['request_too_large', 'max-tokens-exceeded'],
  ['api_usage_error', 'invalid-request'],
  ['authentication_error', 'authentication'],
  ['permission_error', 'authentication'],
  ['invalid_api_key', 'authentication'],
  // Comes as a 429, and no waiting makes it better.
  ['insufficient_quota', 'authentication'],
  ['rate_limit_error', 'rate-limit'],
  ['rate_limit_exceeded', 'rate-limit'],
  ['overloaded_error', 'overloaded'],
  // TEI's `error_type`: a full queue comes as 429, a model that failed as 424.
  ['overloaded', 'overloaded'],
  ['backend', 'server'],
])

/** Reads names only. Messages and `input` echo what the caller sent and are not looked at. */
export function classifyErrorEnvelope(status: number, json: unknown): StatusFailure {
  for (const name of errorNames(json)) {
    const failure = FAILURE_BY_NAME.get(name)
    if (failure !== undefined) return failure
  }
  return classifyStatus(status)
}

/** The narrowest name first. */
function errorNames(json: unknown): readonly unknown[] {
  if (!isRecord(json)) return []
  const names: unknown[] = []
  if (isRecord(json.detail)) names.push(json.detail.error_type)
  if (isRecord(json.error)) names.push(json.error.code, json.error.type, json.error.param)
  names.push(json.error_type)
  return names
}
