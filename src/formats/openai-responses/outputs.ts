/** What of an `input` the model put out, as the checker sees it. */
import type { JsonValue } from '../../engine/transcript.ts'
import { isRecord } from '../json.ts'
import { isAnswer, wireType } from './exchanges.ts'

/** Items that the caller writes, beside messages and answers. */
const SETTINGS: ReadonlySet<string> = new Set([
  'additional_tools',
  'configuration_update',
  'compaction_trigger',
])

/** What a reasoning item may lead to: anything that a response holds, of unknown types too. */
export function isOutput(item: JsonValue | undefined): boolean {
  if (!isRecord(item)) return false
  const type = wireType(item)
  if (type === 'message') return item.role === 'assistant'
  return type !== '' && type !== 'reasoning' && !SETTINGS.has(type) && !isAnswer(type)
}

export function isReasoning(item: JsonValue | undefined): boolean {
  return isRecord(item) && item.type === 'reasoning'
}

/** Where the last run of the model's items begins, if only answers and reasoning follow it. */
export function findPendingStart(items: readonly JsonValue[]): number {
  let start = items.length
  while (start > 0 && mayFollow(items[start - 1])) start -= 1
  while (start > 0 && (isOutput(items[start - 1]) || isReasoning(items[start - 1]))) start -= 1
  return start
}

function mayFollow(item: JsonValue | undefined): boolean {
  if (!isRecord(item)) return false
  const type = wireType(item)
  return type === 'reasoning' || type === 'compaction_trigger' || isAnswer(type)
}

/** A run of reasoning items: numbers of its first item and of the item after its last. */
export interface ReasoningRun {
  readonly first: number
  readonly end: number
}

export function reasoningRuns(items: readonly JsonValue[]): readonly ReasoningRun[] {
  const runs: ReasoningRun[] = []
  for (let first = 0; first < items.length; first += 1) {
    if (!isReasoning(items[first])) continue
    let end = first + 1
    while (isReasoning(items[end])) end += 1
    runs.push({ first, end })
    first = end
  }
  return runs
}
