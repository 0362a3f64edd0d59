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
  const add = (value: JsonValue | undefined, at: string): void => {
    const mark = markOf(value)
    if (mark !== undefined) found.push({ pointer: at, isLong: mark.ttl === '1h' })
  }
  for (const member of ['tools', 'system'] as const) {
    const list = payload[member]
    for (const [index, value] of (isArray(list) ? list : []).entries()) {
      add(value, pointer(member, index))
    }
  }
  for (const { blocks } of turns) {
    for (const block of blocks) {
      const { content } = block.value
      if (isArray(content)) {
        for (let index = 0; index < content.length; index += 1) {
          // A place is written only where there is a breakpoint: there are thousands of blocks.
          if (markOf(content[index]) === undefined) continue
          add(content[index], `${blockPointer(block)}/content/${index}`)
        }
      }
      if (markOf(block.value) !== undefined) add(block.value, blockPointer(block))
    }
  }
  return found
}

function markOf(value: JsonValue | undefined): JsonObject | undefined {
  return isRecord(value) && isRecord(value.cache_control) ? value.cache_control : undefined
}
