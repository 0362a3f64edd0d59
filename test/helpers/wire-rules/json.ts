export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a record; anything else reads as an empty one, so that a rule can look without asking. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}
