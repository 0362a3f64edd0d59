import { asRecord, type JsonRecord } from '../../../test/helpers/wire-rules/json.ts'

/** The JSON of a body, behind a byte order mark if there is one; undefined where it is none. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

export const parseRecord = (body: Buffer): JsonRecord => asRecord(parseBody(body))

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
