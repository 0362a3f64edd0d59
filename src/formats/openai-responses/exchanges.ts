import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import { isRecord, pointer } from '../json.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'duplicate-result'
  | 'duplicate-call-id'
  | 'result-of-other-kind'

interface Family {
  readonly call: string
  readonly result: string
  /** Members that name the call, in the call and in its result, the first present one first. */
  readonly callId: readonly string[]
  readonly resultId: readonly string[]
  /** Whether the API waits for the caller's result: a program's comes from the provider. */
  readonly isAwaited: boolean
}

const BY_CALL_ID = { callId: ['call_id'], resultId: ['call_id'], isAwaited: true } as const

const FAMILIES: readonly Family[] = [
  { call: 'function_call', result: 'function_call_output', ...BY_CALL_ID },
  { call: 'custom_tool_call', result: 'custom_tool_call_output', ...BY_CALL_ID },
  { call: 'computer_call', result: 'computer_call_output', ...BY_CALL_ID },
  { call: 'shell_call', result: 'shell_call_output', ...BY_CALL_ID },
  { call: 'apply_patch_call', result: 'apply_patch_call_output', ...BY_CALL_ID },
  { call: 'tool_search_call', result: 'tool_search_output', ...BY_CALL_ID },
  { call: 'program', result: 'program_output', ...BY_CALL_ID, isAwaited: false },
  {
    call: 'local_shell_call',
    result: 'local_shell_call_output',
    callId: ['call_id', 'id'],
    resultId: ['call_id', 'id'],
    isAwaited: true,
  },
  {
    call: 'mcp_approval_request',
    result: 'mcp_approval_response',
    callId: ['id'],
    resultId: ['approval_request_id'],
    isAwaited: true,
  },
]

const BY_CALL = new Map(FAMILIES.map((family) => [family.call, family]))
const BY_RESULT = new Map(FAMILIES.map((family) => [family.result, family]))

/** A history that only the provider can read. */
export function isCompacted(type: string): boolean {
  return type === 'compaction' || type === 'compaction_summary'
}

/** Whether an item of this type is somebody's answer to a call, known here or not. */
export function isAnswer(type: string): boolean {
  return BY_RESULT.has(type) || type.endsWith('_call_output')
}

interface Call {
  readonly item: number
  readonly family: Family
  readonly mayWait: boolean
  isAnswered: boolean
}

/**
 * One walk over the items that follows calls and results as the API does: a result answers a call of
 * its kind anywhere before it. Written apart from `read`. Calls from `pendingFrom` on wait for their
 * results, no fault. A call that nobody here can see, behind a reference or in a compacted history,
 * may have been made.
 */
export function findExchangeFaults(
  items: readonly JsonValue[],
  pendingFrom: number,
): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const report = (fault: ExchangeFault, item: number): void => {
    faults.push({ fault, pointer: pointer('input', item) })
  }
  const calls: Call[] = []
  /** By kind and id, the latest last. An empty list says that all have their results. */
  const open = new Map<string, Call[]>()
  const named = new Set<string>()
  let isHidden = false
  for (const [index, item] of items.entries()) {
    if (!isRecord(item)) continue
    const type = wireType(item)
    isHidden ||= type === 'item_reference' || isCompacted(type)
    const ofCall = BY_CALL.get(type)
    if (ofCall !== undefined) {
      const [id, ...otherIds] = idsOf(item, ofCall.callId)
      if (id === undefined) continue
      const call = { item: index, family: ofCall, mayWait: item.async === true, isAnswered: false }
      if (named.has(id)) report('duplicate-call-id', index)
      calls.push(call)
      for (const name of new Set([id, ...otherIds])) {
        named.add(name)
        const key = `${type} ${name}`
        const known = open.get(key)
        if (known === undefined) open.set(key, [call])
        else known.push(call)
      }
    }
    const ofResult = BY_RESULT.get(type)
    const id = ofResult === undefined ? undefined : idsOf(item, ofResult.resultId)[0]
    if (ofResult === undefined) continue
    if (id === undefined) {
      if (!mayNameNoCall(type)) report('result-without-call', index)
      continue
    }
    const known = open.get(`${ofResult.call} ${id}`)
    if (known !== undefined) {
      const call = takeWaiting(known)
      if (call === undefined) report('duplicate-result', index)
      else call.isAnswered = true
    } else if (named.has(id)) {
      report('result-of-other-kind', index)
    } else if (!isHidden) {
      report('result-without-call', index)
    }
  }
  for (const { item, family, mayWait, isAnswered } of calls) {
    if (isAnswered || mayWait || !family.isAwaited || item >= pendingFrom) continue
    report('call-without-result', item)
  }
  return faults
}

/** The reference lets these results go without an id: of calls that the provider knows by itself. */
function mayNameNoCall(type: string): boolean {
  return type === 'function_call_output' || type === 'tool_search_output'
}

/** A call may have been answered under its other name. Each is taken off once. */
function takeWaiting(waiting: Call[]): Call | undefined {
  let call = waiting.pop()
  while (call?.isAnswered === true) call = waiting.pop()
  return call
}

function idsOf(item: JsonObject, members: readonly string[]): string[] {
  const ids: string[] = []
  for (const member of members) {
    const id = item[member]
    if (typeof id === 'string' && id !== '') ids.push(id)
  }
  return ids
}

/** The type that the API takes an item for, which messages and references may leave out. */
export function wireType(item: JsonObject): string {
  if (typeof item.type === 'string') return item.type
  if (item.role !== undefined) return 'message'
  return item.id === undefined ? '' : 'item_reference'
}
