import { isUtf8 } from 'node:buffer'
import type { JsonObject } from '../engine/transcript.ts'
import { isRecord } from '../formats/json.ts'
import type { DecodeJson } from '../http/body/decode-json.ts'
import { BODY_BOUNDS, findBrokenBound } from '../http/body/structure-bounds.ts'
import type { ProxyReason } from './names.ts'

/** A body as JSON, and the bytes that it was parsed from: what came, unpacked. */
export interface ReadBody {
  readonly text: Buffer
  readonly json: JsonObject
}

/** The body, or why it is none that the proxy can look into. */
export function parseBody(text: Buffer, decodeJson: DecodeJson): ReadBody | ProxyReason {
  if (!isUtf8(text) || findBrokenBound(text, BODY_BOUNDS) !== undefined) return 'not-json'
  try {
    const json = decodeJson(text)
    return isRecord(json) ? { text, json } : 'other-format'
  } catch {
    return 'not-json'
  }
}
