import type { JsonObject } from '../../engine/transcript.ts'
import { isRecord, textMember } from '../json.ts'

/** Members that only tell the provider's cache where its prefix ends (Anthropic, Bedrock). */
const CACHE_MEMBERS: ReadonlySet<string> = new Set(['cacheControl', 'cache_control', 'cachePoint'])

/**
 * What a part has for each provider. Providers also take it under the name that it has in a response,
 * for callers who sent that back as it was.
 */
export function optionsOf({
  providerOptions,
  providerMetadata,
}: JsonObject): readonly JsonObject[] {
  return [providerOptions, providerMetadata]
    .filter((value) => isRecord(value))
    .flatMap((value) => Object.values(value))
    .filter((options) => isRecord(options))
}

/**
 * Whether the provider that produced a part knows it by more than what it says: an item's id, by which
 * it is sent as a reference, or a signature over it. Rewritten, it would not arrive, or be refused.
 */
export function isBound(part: JsonObject): boolean {
  return optionsOf(part).some((options) =>
    Object.keys(options).some((name) => !CACHE_MEMBERS.has(name)),
  )
}

/** The member that sets a cache breakpoint and nothing else, to be spread; `{}` without one. */
export function breakpointOf({ providerOptions }: JsonObject): JsonObject {
  if (!isRecord(providerOptions)) return {}
  const kept = Object.entries(providerOptions).flatMap(([provider, options]) => {
    if (!isRecord(options)) return []
    const members = Object.entries(options).filter(([name]) => CACHE_MEMBERS.has(name))
    return members.length === 0 ? [] : [[provider, Object.fromEntries(members)] as const]
  })
  return kept.length === 0 ? {} : { providerOptions: Object.fromEntries(kept) }
}

/**
 * A history that the provider compacted: a `custom` part of the kind `openai.compaction`, or the text
 * that Anthropic's options mark. It stands for everything before it.
 */
export function isCompaction(part: JsonObject): boolean {
  if (part.type === 'custom') return textMember(part, 'kind')?.endsWith('.compaction') === true
  return part.type === 'text' && optionsOf(part).some(({ type }) => type === 'compaction')
}
