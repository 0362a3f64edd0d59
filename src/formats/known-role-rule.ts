import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { ListMember } from './conversation-list.ts'
import { isRecord, pointer } from './json.ts'
import type { WireRule } from './wire-rule.ts'

/** Messages, and only they where a list holds other items too, have one of the format's roles. */
export function knownRoleRule(
  list: ListMember,
  source: string,
  roles: ReadonlySet<unknown>,
  isMessage: (item: JsonObject) => boolean = () => true,
): WireRule<{ readonly messages: readonly JsonValue[] }> {
  return {
    id: 'known-role',
    source,
    run: ({ messages }, report) => {
      for (const [index, item] of messages.entries()) {
        if (!isRecord(item) || !isMessage(item) || roles.has(item.role)) continue
        report(pointer(list, index, 'role'), 'is not a role of this format')
      }
    },
  }
}
