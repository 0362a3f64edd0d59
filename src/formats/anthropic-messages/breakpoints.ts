import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { blockPointer, type Turn } from './turns.ts'

/** A `cache_control` that is set. */
export interface Breakpoint {
  readonly pointer: string
  readonly isLong: boolean
}

/** In the order in which the API counts them: tools, system, messages, content inside of blocks last. */
export function breakpointsOf(payload: JsonObject, turns: readonly Turn[]): readonly Breakpoint[] {
  const found: Breakpoint[] = []
  const look = (value: JsonValue, at: () => string): void => {
    if (!isRecord(value) || !isRecord(value.cache_control)) return
    found.push({ pointer: at(), isLong: value.cache_control.ttl === '1h' })
  }
  for (const member of ['tools', 'system'] as const) {
    const list = payload[member]
    for (const [index, value] of (isArray(list) ? list : []).entries()) {
      look(value, () => pointer(member, index))
    }
  }
  for (const { blocks } of turns) {
    for (const block of blocks) {
      const { content } = block.value
      for (const [index, inner] of (isArray(content) ? content : []).entries()) {
        look(inner, () => `${blockPointer(block)}/content/${index}`)
      }
      look(block.value, () => blockPointer(block))
    }
  }
  return found
}
