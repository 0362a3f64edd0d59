import type { CountTokens } from '../engine/transcript.ts'
import { createMediaCounters, type MediaProvider } from '../tokens/media.ts'
import type { FormatId, ReadContext } from './adapter.ts'

/** Whose rules count media where the model does not say. */
const PROVIDER: Readonly<Record<FormatId, MediaProvider>> = {
  'openai-chat': 'openai',
  'anthropic-messages': 'anthropic',
  neurolink: 'openai',
  'ai-sdk': 'openai',
  'openai-responses': 'openai',
  gemini: 'google',
}

/** `model` is the name that the request gives, if any. */
export function createReadContext(
  format: FormatId,
  countTokens: CountTokens,
  model?: string,
): ReadContext {
  return { countTokens, ...createMediaCounters(model, PROVIDER[format]) }
}
