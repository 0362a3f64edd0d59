import { asArray, asRecord, isRecord, type JsonRecord } from './json.ts'

/** One item of `contents`, read as the API reads it: without a role it is the user's. */
export interface GeminiContent {
  readonly isObject: boolean
  readonly role: unknown
  readonly parts: readonly JsonRecord[]
  readonly pointer: string
}

export function readGeminiContent(value: unknown, index: number): GeminiContent {
  const { role, parts } = asRecord(value)
  const isUnset = role === undefined || role === null || role === ''
  return {
    isObject: isRecord(value),
    role: isUnset ? 'user' : role,
    parts: asArray(parts).map(asRecord),
    pointer: `/contents/${index}`,
  }
}

/**
 * A member under its camelCase name or its proto name (`functionCall`, `function_call`): parsers of
 * protobuf JSON take both, in one message too. A null is an unset field.
 */
export function memberOf(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

export function holds(part: JsonRecord, name: string): boolean {
  return (memberOf(part, name) ?? null) !== null
}

/** An empty string is what protobuf makes of an id that was never set. */
export function hasText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Whether the user, or the runner of its tools, speaks: `function` is the older name of that role. */
export function isUserSide({ isObject, role }: GeminiContent): boolean {
  return isObject && (role === 'user' || role === 'function')
}

export function holdsOnlyResponses({ parts }: GeminiContent): boolean {
  return parts.length > 0 && parts.every((part) => holds(part, 'functionResponse'))
}
