import type { CountTokens } from '../engine/transcript.ts'
import { createMediaCounters } from '../tokens/media.ts'
import type { FormatAdapter, ReadContext } from './adapter.ts'

/** `model` is the name that the request gives, if any. */
export function createReadContext(
  { usual }: Pick<FormatAdapter, 'usual'>,
  countTokens: CountTokens,
  model?: string,
): ReadContext {
  return { countTokens, ...createMediaCounters(model, usual.provider) }
}
