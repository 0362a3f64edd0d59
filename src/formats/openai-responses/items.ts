/** What the reader knows of the items of an `input`, by their types. */
import type { JsonObject } from '../../engine/transcript.ts'
import { isRecord, textMember } from '../json.ts'

/**
 * A message may leave out its type, and so may a reference, which then has nothing but an `id`
 * (openai-node, `EasyInputMessage` and `ItemReference`). Empty where neither can be told.
 */
export function typeOf(item: JsonObject): string {
  const { type } = item
  if (typeof type === 'string') return type
  if (item.role !== undefined) return 'message'
  return textMember(item, 'id') === undefined ? '' : 'item_reference'
}

/** Results whose types are not that of their call and `_output`. */
const CALL_OF_RESULT: ReadonlyMap<string, string> = new Map([
  ['tool_search_output', 'tool_search_call'],
  ['program_output', 'program'],
  ['mcp_approval_response', 'mcp_approval_request'],
])

const PAIRED_CALLS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'tool_search_call',
  'program',
  'mcp_approval_request',
])

/** A call that waits for a result in another item. */
export function isPairedCall(type: string): boolean {
  return PAIRED_CALLS.has(type)
}

/** The type of the call that this type of item answers; undefined where it answers none. */
export function callTypeOfResult(type: string): string | undefined {
  const exception = CALL_OF_RESULT.get(type)
  if (exception !== undefined) return exception
  return type.endsWith('_call_output') ? type.slice(0, -'_output'.length) : undefined
}

/** A compacted history that only the provider can read; Codex has both names. */
export function isCompaction(type: string): boolean {
  return type === 'compaction' || type === 'compaction_summary'
}

/** Items that set what comes after them: tools, options, a compaction. */
export function isDirective(type: string): boolean {
  return (
    type === 'additional_tools' || type === 'configuration_update' || type === 'compaction_trigger'
  )
}

/** The program that made this call, or that gets this result (programmatic tool calling). */
export function callingProgram({ caller }: JsonObject): string | undefined {
  return isRecord(caller) ? textMember(caller, 'caller_id') : undefined
}

/** Runs in a container of the provider's, which then also writes the result. */
export function isHostedShell({ environment }: JsonObject): boolean {
  return isRecord(environment) && environment.type === 'container_reference'
}
