import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { isRecord } from './json.ts'

/** How a caller says where its cached prefix ends: Anthropic's member, and OpenAI's. */
const MEMBERS = ['cache_control', 'prompt_cache_breakpoint'] as const

/** The breakpoint of a block as the member that sets it, to be spread into another; `{}` without one. */
export function breakpointOf(block: JsonValue): JsonObject {
  if (!isRecord(block)) return {}
  for (const name of MEMBERS) {
    const value = block[name]
    if (value !== undefined && value !== null) return { [name]: value }
  }
  return {}
}

export function hasBreakpoint(block: JsonValue): boolean {
  return Object.keys(breakpointOf(block)).length > 0
}
