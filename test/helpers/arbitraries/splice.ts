import type { JsonObject } from './types.ts'

export function insertAt<T>(items: readonly T[], index: number, item: T): T[] {
  return [...items.slice(0, index), item, ...items.slice(index)]
}

export function removeAt<T>(items: readonly T[], index: number): T[] {
  return [...items.slice(0, index), ...items.slice(index + 1)]
}

export function replaceAt<T>(items: readonly T[], index: number, item: T): T[] {
  return [...items.slice(0, index), item, ...items.slice(index + 1)]
}

export function contentBlocks(message: JsonObject | undefined): JsonObject[] {
  return Array.isArray(message?.content) ? message.content : []
}

export function toolCallsOf(message: JsonObject | undefined): JsonObject[] {
  return Array.isArray(message?.tool_calls) ? message.tool_calls : []
}
