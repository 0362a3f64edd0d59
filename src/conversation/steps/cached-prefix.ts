import type { JsonValue } from '../../engine/transcript.ts'
import { hasBreakpoint } from '../../formats/cache-breakpoint.ts'
import { isArray, isRecord } from '../../formats/json.ts'

/**
 * How many of the first messages the caller has asked the provider to cache: all up to the last one
 * that is marked as the end of a cached prefix, itself or one of its blocks, or a block inside of a
 * result (Anthropic, *Prompt caching*; OpenRouter and LiteLLM take the same member in OpenAI's format).
 */
export function cachedMessages(items: readonly JsonValue[]): number {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if (isMarked(items[index])) return index + 1
  }
  return 0
}

function isMarked(item: JsonValue | undefined): boolean {
  if (!isRecord(item)) return false
  const { content, output } = item
  return (
    hasBreakpoint(item) || (isArray(content) && content.some(isBlockMarked)) || holdsMark(output)
  )
}

/** Only a result has blocks of its own; what else a block holds is the caller's or the model's data. */
function isBlockMarked(block: JsonValue): boolean {
  if (hasBreakpoint(block)) return true
  return isRecord(block) && block.type === 'tool_result' && holdsMark(block.content)
}

function holdsMark(blocks: JsonValue | undefined): boolean {
  return isArray(blocks) && blocks.some(hasBreakpoint)
}
