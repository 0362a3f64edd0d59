import type { JsonObject } from '../../engine/transcript.ts'
import { type DraftEntry, NO_FLAGS } from '../draft.ts'
import type { Exchanges } from './exchange-keys.ts'
import { callTypeOfResult, isDirective, typeOf } from './items.ts'

/**
 * Links beyond those of calls and results. One response of the model is a run of items that nobody
 * else's interrupts. In it,
 *
 * - reasoning stays with all that the model made of it, up to the next reasoning: the API refuses
 *   reasoning without the item after it, and items without the reasoning they came from. Parallel
 *   calls thus stay together, and steps of a tool loop, each with reasoning of its own, do not;
 * - references stay with the items around them: nobody here sees whether they are reasoning, calls,
 *   or an answer. Results of calls that cannot be seen stay with the references before them;
 * - a tail that waits for results stays whole: nothing may be put between a call and its results.
 */
export function linkItems(
  entries: readonly DraftEntry[],
  items: readonly JsonObject[],
  exchanges: Exchanges,
  firstPending: number,
): void {
  linkReasoning(entries, items, exchanges)
  linkReferences(entries, items, exchanges)
  linkToolSearches(entries, items)
  linkApprovedCalls(entries, items)
  const tail = entries.slice(firstPending)
  if (!tail.some(({ unresolvedCalls }) => unresolvedCalls.length > 0)) return
  for (const entry of tail) entry.links.push('pending')
}

/** The last run of the model's items, if nothing but results and reasoning follows it. */
export function startOfPendingTail(
  entries: readonly DraftEntry[],
  items: readonly JsonObject[],
): number {
  let index = entries.length - 1
  while (index >= 0 && mayFollowPendingCall(items[index])) index -= 1
  while (index >= 0 && isModels(entries[index], items[index])) index -= 1
  return index + 1
}

function mayFollowPendingCall(item: JsonObject | undefined): boolean {
  if (item === undefined) return false
  const type = typeOf(item)
  return (
    type === 'reasoning' || type === 'compaction_trigger' || callTypeOfResult(type) !== undefined
  )
}

/** What the model or a tool of the provider's put out. */
function isModels(entry: DraftEntry | undefined, item: JsonObject | undefined): boolean {
  if (entry === undefined || item === undefined) return false
  const type = typeOf(item)
  return entry.role === 'assistant' && callTypeOfResult(type) === undefined && !isDirective(type)
}

function linkReasoning(
  entries: readonly DraftEntry[],
  items: readonly JsonObject[],
  { isHosted }: Exchanges,
): void {
  let members: DraftEntry[] = []
  let hasFollower = false
  const close = (): void => {
    const [first] = members
    if (members.length > 1) {
      for (const { links } of members) links.push(`reasoning:${first?.index}`)
    }
    members = []
    hasFollower = false
  }
  for (const entry of entries) {
    const item = items[entry.index] ?? {}
    const type = typeOf(item)
    if (type === 'reasoning') {
      if (hasFollower) close()
      members.push(entry)
    } else if (isModels(entry, item) || isProvidersResult(item, type, isHosted)) {
      if (members.length === 0) continue
      // A marker is ours to take away, but not from the reasoning that it alone follows.
      if (!hasFollower && entry.flags.marker === true) entry.flags = NO_FLAGS
      members.push(entry)
      hasFollower = true
    } else {
      close()
    }
  }
  close()
}

function isProvidersResult(
  item: JsonObject,
  type: string,
  isHosted: Exchanges['isHosted'],
): boolean {
  if (type === 'program_output') return true
  if (type === 'tool_search_output') return item.execution !== 'client'
  return type === 'shell_call_output' && typeof item.call_id === 'string' && isHosted(item.call_id)
}

function linkReferences(
  entries: readonly DraftEntry[],
  items: readonly JsonObject[],
  { orphans }: Exchanges,
): void {
  let run: DraftEntry[] = []
  let hasReference = false
  let label: string | undefined
  const close = (): void => {
    const [first] = run
    if (hasReference && first !== undefined) {
      label = `reference:${first.index}`
      for (const { links } of run) links.push(label)
    }
    run = []
    hasReference = false
  }
  for (const entry of entries) {
    const item = items[entry.index]
    if (isModels(entry, item)) {
      run.push(entry)
      hasReference ||= item !== undefined && typeOf(item) === 'item_reference'
      continue
    }
    close()
    if (label !== undefined && orphans.has(entry.index)) entry.links.push(label)
  }
  close()
}

/** A tool search at the provider has no id that would pair it with its output right after it. */
function linkToolSearches(entries: readonly DraftEntry[], items: readonly JsonObject[]): void {
  for (const [index, item] of items.entries()) {
    if (item.type !== 'tool_search_output' || typeof item.call_id === 'string') continue
    const call = items[index - 1]
    if (call?.type !== 'tool_search_call' || typeof call.call_id === 'string') continue
    for (const entry of entries.slice(index - 1, index + 1)) entry.links.push(`search:${index}`)
  }
}

/** The call that was approved names the request that asked for it. */
function linkApprovedCalls(entries: readonly DraftEntry[], items: readonly JsonObject[]): void {
  for (const [index, item] of items.entries()) {
    const id =
      item.type === 'mcp_approval_request'
        ? item.id
        : item.type === 'mcp_call'
          ? item.approval_request_id
          : undefined
    if (typeof id === 'string' && id !== '') entries[index]?.links.push(`approval:${id}`)
  }
}
