import type { Item, ItemKind } from './openai-responses-items.ts'
import type { Fault } from './types.ts'

/**
 * Pairing of calls and results in OpenAI Responses, by id, wherever the two stand.
 *
 * - `call-without-result`: "No tool output found for function call call_..." (likewise for custom,
 *   shell, apply-patch and computer calls); "The following MCP approval requests do not have an
 *   approval". While nothing but results follows the last items of the model, its calls are pending.
 * - `result-without-call`: "No tool call found for function call output with call_id ...". An item
 *   that only the provider can read (a reference, a compaction) may stand for the call.
 * - `duplicate-result`, `duplicate-call-id`: one of two that no reader can tell apart.
 * - `result-of-other-kind`: "No tool call found for custom tool call output ..." and so on, where
 *   the id is that of a call of another kind.
 */
export function findResponsesToolFaults(items: readonly Item[]): Fault[] {
  const faults: Fault[] = []
  const calls = new Map<string, Call[]>()
  let mayBeHidden = false
  for (const item of items) {
    if (item.kind === 'reference' || item.kind === 'compaction') mayBeHidden = true
    if (item.kind === 'call') faults.push(...addCall(calls, item))
    if (item.kind === 'result') faults.push(...answer(calls, item, mayBeHidden))
  }
  const pendingFrom = startOfPending(items)
  const all = new Set([...calls.values()].flat())
  for (const { item, isAnswered } of all) {
    if (isAnswered || item.index >= pendingFrom) continue
    faults.push({ rule: 'call-without-result', pointer: pointerOf(item) })
  }
  for (const item of items) {
    const isNameless = item.kind === 'call' && item.callIds.length === 0
    if (isNameless && item.index < pendingFrom) {
      faults.push({ rule: 'call-without-result', pointer: pointerOf(item) })
    }
  }
  return faults
}

interface Call {
  readonly item: Item
  isAnswered: boolean
}

function addCall(calls: Map<string, Call[]>, item: Item): Fault[] {
  const call: Call = { item, isAnswered: false }
  const isDuplicate = item.callIds.some((id) => calls.has(id))
  for (const id of item.callIds) calls.set(id, [...(calls.get(id) ?? []), call])
  return isDuplicate ? [{ rule: 'duplicate-call-id', pointer: pointerOf(item) }] : []
}

function answer(calls: Map<string, Call[]>, item: Item, mayBeHidden: boolean): Fault[] {
  const known = item.callIds.flatMap((id) => calls.get(id) ?? [])
  const own = known.filter((call) => call.item.family === item.family)
  const open = own.findLast(({ isAnswered }) => !isAnswered)
  if (open !== undefined) {
    open.isAnswered = true
    return []
  }
  const pointer = pointerOf(item)
  if (own.length > 0) return [{ rule: 'duplicate-result', pointer }]
  if (known.length > 0) return [{ rule: 'result-of-other-kind', pointer }]
  return mayBeHidden ? [] : [{ rule: 'result-without-call', pointer }]
}

const AFTER_THE_RUN: ReadonlySet<ItemKind> = new Set(['result', 'reasoning'])
const OF_THE_RUN: ReadonlySet<ItemKind> = new Set([
  'call',
  'reasoning',
  'compaction',
  'reference',
  'model',
  'server',
])

/** Index of the first of the model's last items, behind which there are results and nothing else. */
function startOfPending(items: readonly Item[]): number {
  let at = items.length - 1
  while (at >= 0 && AFTER_THE_RUN.has(items[at]?.kind ?? 'message')) at -= 1
  let start = Number.POSITIVE_INFINITY
  for (; at >= 0; at -= 1) {
    const item = items[at]
    if (item === undefined || !isOfTheRun(item)) break
    start = item.index
  }
  return start
}

function isOfTheRun({ kind, value }: Item): boolean {
  return kind === 'message' ? value.role === 'assistant' : OF_THE_RUN.has(kind)
}

function pointerOf({ index }: Item): string {
  return `/input/${index}`
}
