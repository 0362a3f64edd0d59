import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { callPart } from '../content-parts.ts'
import type { DraftEntry } from '../draft.ts'
import { jsonText, pointer, textMember } from '../json.ts'
import type { ReadMessage } from '../reading.ts'
import type { Exchanges } from './exchange-keys.ts'
import { callingProgram, isHostedShell } from './items.ts'

/** The member that says what the call asks for, where it is not `arguments`. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['custom_tool_call', 'input'],
  ['computer_call', 'action'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['apply_patch_call', 'operation'],
  ['program', 'code'],
])

/** Adds the call's part and tells the pairing of it. */
export function readCall(
  { message: item, index, reading }: ReadMessage,
  type: string,
  entry: DraftEntry,
  exchanges: Exchanges,
): void {
  const value = item[ARGUMENTS.get(type) ?? 'arguments'] ?? item.actions
  const part = callPart(nameOf(item, type), argumentsText(value), value, reading)
  entry.parts.push(part)
  const program = type === 'program' ? textMember(item, 'call_id') : callingProgram(item)
  if (program !== undefined) entry.links.push(`program:${program}`)
  const id = idOf(item, type)
  if (id === undefined) {
    // A tool search of the provider's has no id: its output follows it.
    if (type === 'tool_search_call') return
    const member = type === 'mcp_approval_request' ? 'id' : 'call_id'
    const at = pointer('input', index, member)
    reading.faults.add(at, 'call-id', 'must be a string that pairs the call with its result')
    return
  }
  if (type === 'shell_call' && isHostedShell(item)) exchanges.addHosted(id)
  const otherId = type === 'local_shell_call' ? textMember(item, 'id') : undefined
  reading.pairing.addCall(entry, part, 0, exchanges.addCall(type, id, otherId))
}

/** Built-in tools are named by the type of their calls. */
function nameOf(item: JsonObject, type: string): string {
  return textMember(item, 'name') ?? type.replace(/_call$/, '')
}

function idOf(item: JsonObject, type: string): string | undefined {
  if (type === 'mcp_approval_request') return textMember(item, 'id')
  const id = textMember(item, 'call_id')
  return id ?? (type === 'local_shell_call' ? textMember(item, 'id') : undefined)
}

function argumentsText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : jsonText(value)
}
