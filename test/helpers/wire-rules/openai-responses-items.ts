import { isRecord, type JsonRecord } from './json.ts'

/**
 * What an item of `input` is, by the union `ResponseInputItem` of the API reference. `type` may be
 * left out of a message (`EasyInputMessage`) and of a reference.
 *
 * - `call`, `result`: the two sides of something that the caller carries out.
 * - `model`: written by the model, or run by the provider on its behalf, with its result inside.
 * - `server`: put there by the provider, but not asked for by the model.
 * - `setting`: put there by the caller, and no message.
 */
export type ItemKind =
  | 'message'
  | 'call'
  | 'result'
  | 'reasoning'
  | 'compaction'
  | 'reference'
  | 'model'
  | 'server'
  | 'setting'

export interface Item {
  readonly index: number
  readonly kind: ItemKind
  readonly value: JsonRecord
  /** Type of the calls of its exchange; '' where it has none. */
  readonly family: string
  /** Ids by which it may be paired; a result has one at most. */
  readonly callIds: readonly string[]
}

/** Type of a call -> type of its result. */
const RESULT_TYPES: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  computer_call: 'computer_call_output',
  local_shell_call: 'local_shell_call_output',
  shell_call: 'shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  tool_search_call: 'tool_search_output',
  mcp_approval_request: 'mcp_approval_response',
}

const FAMILIES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(RESULT_TYPES).map(([call, result]) => [result, call]),
)

const KINDS: ReadonlyMap<unknown, ItemKind> = new Map<unknown, ItemKind>([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ['compaction', 'compaction'],
  ['item_reference', 'reference'],
  ['mcp_list_tools', 'server'],
  ['program_output', 'server'],
  ['additional_tools', 'setting'],
  ['compaction_trigger', 'setting'],
])

export function readItems(list: readonly unknown[]): Item[] {
  return list.flatMap((value, index) => (isRecord(value) ? [readItem(value, index)] : []))
}

function readItem(value: JsonRecord, index: number): Item {
  const type = typeOf(value)
  const alone = { index, value, family: '', callIds: [] }
  // A search that the provider runs itself has no call_id, and its result need not be sent by anyone.
  const isHosted = String(type).startsWith('tool_search') && isHostedSearch(value)
  if (isHosted) return { ...alone, kind: type === 'tool_search_call' ? 'model' : 'server' }
  if (typeof type === 'string' && Object.hasOwn(RESULT_TYPES, type)) {
    return { ...alone, kind: 'call', family: type, callIds: idsOfCall(value, type) }
  }
  const family = FAMILIES.get(type)
  if (family !== undefined) {
    return { ...alone, kind: 'result', family, callIds: idsOfResult(value, family) }
  }
  return { ...alone, kind: KINDS.get(type) ?? kindOfUnknown(type) }
}

function typeOf({ type, role, id }: JsonRecord): unknown {
  if (type !== undefined && type !== null) return type
  if (role !== undefined) return 'message'
  return typeof id === 'string' ? 'item_reference' : undefined
}

function isHostedSearch({ execution, call_id: callId }: JsonRecord): boolean {
  return execution === 'server' || typeof callId !== 'string'
}

/** A new kind of result is nothing that reasoning leads to; anything else new may well be. */
function kindOfUnknown(type: unknown): ItemKind {
  return /_(?:output|response)$/.test(String(type)) ? 'server' : 'model'
}

/** An output of the local shell names the call by either of its ids: reference and guide disagree. */
function idsOfCall({ id, call_id: callId }: JsonRecord, family: string): string[] {
  if (family === 'mcp_approval_request') return texts(id)
  return family === 'local_shell_call' ? texts(callId, id) : texts(callId)
}

function idsOfResult(value: JsonRecord, family: string): string[] {
  if (family === 'mcp_approval_request') return texts(value.approval_request_id)
  const ids = texts(value.call_id)
  return family === 'local_shell_call' && ids.length === 0 ? texts(value.id) : ids
}

function texts(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === 'string' && value !== '') as string[]
}
