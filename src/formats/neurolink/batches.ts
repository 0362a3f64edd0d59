import type { JsonValue } from '../../engine/transcript.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isRecord, textMember } from '../json.ts'
import type { Reading } from '../reading.ts'

interface ToolMessage {
  readonly entry: DraftEntry
  readonly id: string | undefined
}

/** A maximal run of calls, then a maximal run of results: one step of the model and its outcome. */
interface Batch {
  readonly calls: readonly ToolMessage[]
  readonly results: readonly ToolMessage[]
}

/**
 * Pairs by `toolCallId` where every message of the batch has one, else by position inside it: the
 * third result answers the third call. All messages of a batch stay together, for NeuroLink sends
 * them as one turn. Results that text separates from their calls are paired with the last calls.
 */
export function pairBatches(
  messages: readonly JsonValue[],
  entries: readonly DraftEntry[],
  reading: Reading,
): void {
  const batches = findBatches(messages, entries)
  let waiting: readonly string[] = []
  // An index, for a copy of the rest after every batch would be quadratic.
  let next = 0
  for (const batch of batches) {
    const all = [...batch.calls, ...batch.results]
    linkBatch(all)
    if (all.every(({ id }) => id !== undefined)) {
      for (const { entry, id } of batch.calls) {
        reading.pairing.addCall(entry, callOf(entry), 0, id ?? '')
      }
      for (const { entry, id } of batch.results) addResults(entry, id ?? '', reading)
      continue
    }
    if (batch.calls.length > 0) {
      waiting = batch.calls.map(({ entry }) => `position:${entry.index}`)
      next = 0
    }
    for (const { entry } of batch.calls) {
      reading.pairing.addCall(entry, callOf(entry), 0, `position:${entry.index}`, false)
    }
    for (const { entry } of batch.results) {
      addResults(entry, waiting[next] ?? `position:${entry.index}`, reading)
      next += 1
    }
  }
  const firstPending = startOfPendingBatch(batches, entries.length)
  reading.pairing.finish((entry) => entry.index >= firstPending)
  for (const at of batches.keys()) keepApart(batches, at, entries)
}

function findBatches(messages: readonly JsonValue[], entries: readonly DraftEntry[]): Batch[] {
  const batches: { calls: ToolMessage[]; results: ToolMessage[] }[] = []
  let isOpen = false
  for (const entry of entries) {
    const message = messages[entry.index]
    const role = isRecord(message) ? message.role : undefined
    if (role !== 'tool_call' && role !== 'tool_result') {
      isOpen = false
      continue
    }
    const isCall = role === 'tool_call'
    const last = batches.at(-1)
    const id = isRecord(message) ? textMember(message, 'toolCallId') : undefined
    const continues = isOpen && last !== undefined && !(isCall && last.results.length > 0)
    const batch = continues ? last : { calls: [], results: [] }
    if (!continues) batches.push(batch)
    batch[isCall ? 'calls' : 'results'].push({ entry, id })
    isOpen = true
  }
  return batches
}

function linkBatch(members: readonly ToolMessage[]): void {
  const first = members[0]?.entry.index ?? 0
  if (members.length < 2) return
  for (const { entry } of members) entry.links.push(`batch:${first}`)
}

/**
 * Calls without results keep the message after them, and results without calls the one before: if
 * that text went, they would become part of the next batch, and results answer other calls than
 * before. Not so where the two are each other's neighbours and belong together.
 */
function keepApart(batches: readonly Batch[], at: number, entries: readonly DraftEntry[]): void {
  const { calls = [], results = [] } = batches[at] ?? {}
  const call = results.length > 0 ? undefined : calls.at(-1)?.entry
  const isAnswered = calls.every(({ entry }) => entry.unresolvedCalls.length === 0)
  const isAnsweredNext = isAnswered && batches[at + 1]?.calls.length === 0
  if (call !== undefined && !isAnsweredNext) linkPair(call, entries[call.index + 1])
  const result = calls.length > 0 ? undefined : results[0]?.entry
  const isAnswer = results.every(({ entry }) =>
    entry.links.some((link) => link.startsWith('call:')),
  )
  const isAnswerToLast = isAnswer && batches[at - 1]?.results.length === 0
  if (result !== undefined && !isAnswerToLast) linkPair(result, entries[result.index - 1])
}

function linkPair(entry: DraftEntry, neighbour: DraftEntry | undefined): void {
  if (neighbour === undefined) return
  for (const { links } of [entry, neighbour]) links.push(`beside:${entry.index}`)
}

/** An output and the error beside it answer the same call, as one result. */
function addResults(entry: DraftEntry, key: string, reading: Reading): void {
  const [first, ...others] = entry.parts
  reading.pairing.addResult(entry, first, 0, key)
  if (first === undefined) return
  for (const part of others) {
    if (first.callId !== undefined) part.callId = first.callId
    if (first.toolName !== undefined) part.toolName = first.toolName
  }
}

function callOf(entry: DraftEntry): DraftPart | undefined {
  return entry.parts.find(({ kind }) => kind === 'tool-call')
}

/** The last batch, if it ends the conversation. */
function startOfPendingBatch(batches: readonly Batch[], end: number): number {
  const last = batches.at(-1)
  if (last === undefined) return end
  const members = [...last.calls, ...last.results]
  return members.at(-1)?.entry.index === end - 1 ? (members[0]?.entry.index ?? end) : end
}
