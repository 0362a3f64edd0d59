import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { hasList, type ListMember } from './conversation-list.ts'
import { isRecord, pointer } from './json.ts'
import type { WireRule } from './wire-rule.ts'

interface StructureContext {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
}

/** The rule without which no other can look at anything: an array of objects. */
export function structureRule(list: ListMember, source: string): WireRule<StructureContext> {
  return {
    id: 'structure',
    source,
    run: ({ payload, messages }, report) => {
      if (!hasList(payload, list)) report(pointer(list), 'must be an array')
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message)) report(pointer(list, index), 'must be an object')
      }
    },
  }
}
