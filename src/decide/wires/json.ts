export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** An object without a prototype, so that `__proto__` is a member like any other. */
export function bareRecord<T>(entries: Iterable<readonly [string, T]>): { [name: string]: T } {
  const record: { [name: string]: T } = Object.create(null)
  for (const [name, value] of entries) record[name] = value
  return record
}

const MODEL_NAME = /^[\w.:/~@+-]{1,128}$/

/** A server's word for its model, if it looks like one: it is reported to callers. */
export function readModelName(json: JsonRecord): string | undefined {
  const { model } = json
  return typeof model === 'string' && MODEL_NAME.test(model) ? model : undefined
}
