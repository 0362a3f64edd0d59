/**
 * Small readers and copy-on-write helpers for parsed JSON. Callers' objects may have own members
 * named `__proto__` or `constructor`: copies are made with spread only, which keeps such members as
 * what they are, and nothing is ever assigned into an object under a caller's name.
 */
import type { JsonObject, JsonValue } from '../engine/transcript.ts'

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value)
}

/** The member if it is a string of at least one character. */
export function textMember(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** RFC 6901 pointer from unescaped segments; no segments point to the whole document. */
export function pointer(...segments: readonly (string | number)[]): string {
  let text = ''
  for (const segment of segments) {
    text +=
      typeof segment === 'number'
        ? `/${segment}`
        : `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
  return text
}

/** A copy in which one member has another value; the order of members stays. */
export function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return { ...object, [name]: value }
}

/** JSON text of a value, '' where there is none. Callers have bounded its depth. */
export function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value)
}
