import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { isArray, isRecord, pointer } from './json.ts'
import type { WireRule } from './wire-rule.ts'

interface StructureContext {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
}

/** The rule without which no other can look at anything: an array of objects. */
export function structureRule(source: string): WireRule<StructureContext> {
  return {
    id: 'structure',
    source,
    run: ({ payload, messages }, report) => {
      if (!isArray(payload.messages)) report(pointer('messages'), 'must be an array')
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message)) report(pointer('messages', index), 'must be an object')
      }
    },
  }
}
