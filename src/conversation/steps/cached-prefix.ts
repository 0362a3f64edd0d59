import type { JsonValue } from '../../engine/transcript.ts'
import { hasBreakpoint } from '../../formats/cache-breakpoint.ts'
import { isArray, isRecord } from '../../formats/json.ts'

/**
 * How many of the first messages the caller has asked the provider to cache: all up to the last one
 * that is marked as the end of a cached prefix, itself or one of its blocks (Anthropic, *Prompt
 * caching*; OpenRouter and LiteLLM take the same member in OpenAI's format).
 */
export function cachedMessages(items: readonly JsonValue[]): number {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if (isMarked(items[index])) return index + 1
  }
  return 0
}

function isMarked(item: JsonValue | undefined): boolean {
  if (!isRecord(item)) return false
  return hasBreakpoint(item) || (isArray(item.content) && item.content.some(hasBreakpoint))
}
