import type { Mutation } from './broken.ts'
import { insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** An exchange of which both sides are there, as this generator writes them. */
interface Exchange {
  readonly call: number
  readonly result: number
  /** The user's next message, before which the exchange is closed. */
  readonly end: number
}

/** What can be done to the exchange that the item asks for, and to the place before it. */
export function breakResponsesExchange(
  items: readonly JsonObject[],
  item: JsonObject,
  index: number,
): Mutation[] {
  const mutations = item.role === 'user' ? insertStray(items, index) : []
  const exchange = exchangeAt(items, index)
  if (exchange === undefined) return mutations
  return [...mutations, ...breakResult(items, exchange), ...breakCall(items, exchange)]
}

/** Behind an item that only the provider can read, a result without a call may have one. */
function isReadable(items: readonly JsonObject[], index: number): boolean {
  return items
    .slice(0, index + 1)
    .every(({ type, role }) =>
      type === undefined ? role !== undefined : type !== 'compaction' && type !== 'item_reference',
    )
}

function insertStray(items: readonly JsonObject[], index: number): Mutation[] {
  if (!isReadable(items, index)) return []
  const stray = { type: 'function_call_output', call_id: 'call_nobody', output: 'stray' }
  const nameless = { type: 'custom_tool_call_output', output: 'stray' }
  const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_x', approve: true }
  return Object.entries({
    'result-without-call': stray,
    'result-without-id': nameless,
    'approval-without-request': approval,
  }).map(([name, result]) => ({
    name,
    write: () => insertAt(items, index + 1, result),
    faults: [{ rule: 'result-without-call', pointer: `/input/${index + 1}` }],
  }))
}

function exchangeAt(items: readonly JsonObject[], index: number): Exchange | undefined {
  const id = idOfCall(items[index])
  if (id === undefined) return undefined
  const result = items.findIndex((item, at) => at > index && answers(item) === id)
  const end = items.findIndex(({ role }, at) => at > result && role === 'user')
  return result < 0 || end < 0 ? undefined : { call: index, result, end }
}

function idOfCall(item: JsonObject | undefined): unknown {
  const type = String(item?.type)
  if (type === 'mcp_approval_request') return item?.id
  return /_call$/.test(type) && typeof item?.call_id === 'string' ? item.call_id : undefined
}

function answers({ type, id, call_id: callId, approval_request_id: request }: JsonObject): unknown {
  if (!/_output$|_response$/.test(String(type))) return undefined
  return callId ?? request ?? id
}

function breakResult(items: readonly JsonObject[], { call, result }: Exchange): Mutation[] {
  const answer = items[result] ?? {}
  const missing = { rule: 'call-without-result', pointer: `/input/${call}` }
  const other = { type: 'custom_tool_call_output', call_id: answer.call_id, output: 'stray' }
  const mutations: Mutation[] = [
    { name: 'call-without-result', write: () => removeAt(items, result), faults: [missing] },
    {
      name: 'duplicate-result',
      write: () => insertAt(items, result + 1, { ...answer }),
      faults: [{ rule: 'duplicate-result', pointer: `/input/${result + 1}` }],
    },
  ]
  if (answer.type !== 'function_call_output') return mutations
  return [
    ...mutations,
    {
      name: 'result-of-other-kind',
      write: () => insertAt(items, result + 1, other),
      faults: [{ rule: 'result-of-other-kind', pointer: `/input/${result + 1}` }],
    },
    {
      name: 'retyped-result',
      write: () => replaceAt(items, result, other),
      faults: [{ rule: 'result-of-other-kind', pointer: `/input/${result}` }, missing],
    },
  ]
}

function breakCall(items: readonly JsonObject[], { call, result, end }: Exchange): Mutation[] {
  const asked = items[call] ?? {}
  const isApproval = asked.type === 'mcp_approval_request'
  const again = isApproval || asked.id === undefined ? asked : { ...asked, id: `${asked.id}b` }
  const answer = items[result] ?? {}
  const mutations: Mutation[] = [
    {
      name: 'duplicate-call-id',
      write: () => insertAt(insertAt(items, end, { ...again }), end + 1, { ...answer }),
      faults: [{ rule: 'duplicate-call-id', pointer: `/input/${end}` }],
    },
  ]
  const leadsFromThought = items[call - 1]?.type === 'reasoning'
  if (!leadsFromThought && isReadable(items, result)) {
    mutations.push({
      name: 'removed-call',
      write: () => removeAt(items, call),
      faults: [{ rule: 'result-without-call', pointer: `/input/${result - 1}` }],
    })
  }
  return mutations
}
