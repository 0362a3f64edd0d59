import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { isThinking } from './blocks.ts'
import { blockPointer, type Turn } from './turns.ts'

/** A `cache_control` that is set. */
export interface Breakpoint {
  readonly pointer: string
  readonly isLong: boolean
}

/**
 * In the order in which the API counts them: tools, system, messages, content inside of blocks last. A
 * `cache_control` of the request itself stands for one behind all others, on the last block that can be
 * cached; where that has one of its own, it is none ("Prompt caching", automatic caching).
 */
export function breakpointsOf(payload: JsonObject, turns: readonly Turn[]): readonly Breakpoint[] {
  const found: Breakpoint[] = []
  const add = (value: JsonValue | undefined, at: string): void => {
    const mark = markOf(value)
    if (mark !== undefined) found.push({ pointer: at, isLong: isLong(mark) })
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
  if (markOf(payload) !== undefined) {
    const last = lastCacheable(payload, turns)
    if (last !== undefined && markOf(last.value) === undefined) add(payload, '/cache_control')
  }
  return found
}

/** Where the last block is cached for another time than the request itself asks for. */
export function findOtherTime(payload: JsonObject, turns: readonly Turn[]): string | undefined {
  const asked = markOf(payload)
  const last = asked && lastCacheable(payload, turns)
  const own = markOf(last?.value)
  if (asked === undefined || own === undefined) return undefined
  return isLong(own) === isLong(asked) ? undefined : last?.pointer
}

interface Place {
  readonly value: JsonValue
  readonly pointer: string
}

/** The block that a `cache_control` of the request is for: thinking cannot be cached by itself. */
function lastCacheable(payload: JsonObject, turns: readonly Turn[]): Place | undefined {
  for (const { blocks } of turns.toReversed()) {
    const block = blocks.findLast(({ type }) => !isThinking(type))
    if (block !== undefined) return { value: block.value, pointer: blockPointer(block) }
  }
  return lastOf(payload, 'system') ?? lastOf(payload, 'tools')
}

function lastOf(payload: JsonObject, member: 'system' | 'tools'): Place | undefined {
  const list = payload[member]
  if (typeof list === 'string' && list !== '') return { value: list, pointer: pointer(member) }
  const value = isArray(list) ? list.at(-1) : undefined
  return value === undefined || !isArray(list)
    ? undefined
    : { value, pointer: pointer(member, list.length - 1) }
}

function isLong({ ttl }: JsonObject): boolean {
  return ttl === '1h'
}

function markOf(value: JsonValue | undefined): JsonObject | undefined {
  return isRecord(value) && isRecord(value.cache_control) ? value.cache_control : undefined
}
