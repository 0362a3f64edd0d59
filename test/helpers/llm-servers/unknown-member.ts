import type { JsonRecord } from '../wire-rules/json.ts'

/** The first member of a request that its API does not know. */
export function unknownMember(body: JsonRecord, known: ReadonlySet<string>): string | undefined {
  return Object.keys(body).find((name) => !known.has(name))
}
