import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { opaquePart } from '../content-parts.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import type { Reading } from '../reading.ts'

/** Tokens of the instructions: a text, a content, or a list of parts as the SDKs take them. */
export function countInstruction(payload: JsonObject, reading: Reading): number {
  const member =
    payload.systemInstruction === undefined ? 'system_instruction' : 'systemInstruction'
  let tokens = 0
  for (const part of partsOf(payload[member])) {
    if (typeof part === 'string') tokens += reading.context.countTokens(part)
    else if (!isRecord(part)) {
      reading.faults.add(pointer(member), 'system-type', 'must be a string or a content of parts')
    } else if (typeof part.text === 'string') tokens += reading.context.countTokens(part.text)
    else tokens += opaquePart('part', part, reading).tokens
  }
  return tokens
}

function partsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  if (isArray(value)) return value
  return isRecord(value) && isArray(value.parts) ? value.parts : [value]
}
