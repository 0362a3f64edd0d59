/** The calls of the proxied APIs that make text from a conversation. */
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { FormatId } from '../formats/adapter.ts'
import { isRecord } from '../formats/json.ts'

export interface Generation {
  readonly format: FormatId
  /** From the path, where it stands there; else the body has it. */
  readonly model: string | undefined
}

const BY_PATH: Readonly<Record<string, FormatId>> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/responses': 'openai-responses',
  '/v1/messages': 'anthropic-messages',
}

/** `{model}:generateContent`, below `models`, `tunedModels`, or a publisher's models. */
const GEMINI_CALL = /\/([^/:]+):(?:generateContent|streamGenerateContent)$/

/**
 * What a call generates from; undefined for every other: counting, embeddings, files, lists.
 *
 * @param url path and query string as they came
 */
export function generationOf(method: string, url: string): Generation | undefined {
  if (method !== 'POST') return undefined
  const path = url.split('?', 1)[0] ?? ''
  const format = Object.hasOwn(BY_PATH, path) ? BY_PATH[path] : undefined
  if (format !== undefined) return { format, model: undefined }
  const name = GEMINI_CALL.exec(path)?.[1]
  return name === undefined ? undefined : { format: 'gemini', model: decode(name) }
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Tokens that the answer may have, under the names that the APIs give them; undefined if not said. */
export function outputLimitOf(body: JsonObject): number | undefined {
  const nested = body.generationConfig ?? body.generation_config
  const config: JsonObject = isRecord(nested) ? nested : {}
  const candidates: readonly (JsonValue | undefined)[] = [
    body.max_completion_tokens,
    body.max_output_tokens,
    body.max_tokens,
    config.maxOutputTokens,
    config.max_output_tokens,
  ]
  return candidates.find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0,
  )
}
