/** What parts that belong together by their ids make of each other, in one walk each. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { DraftEntry } from '../draft.ts'
import { isArray, isRecord, textMember } from '../json.ts'
import type { Reading } from '../reading.ts'
import { closesExchanges, share } from './links.ts'
import { optionsOf } from './provider-options.ts'
import { pointerTo } from './read-parts.ts'

type Messages = readonly JsonValue[]

/**
 * Where an id is used again, a result stays with the nearest call before it, and a call with the one
 * before it that nothing has answered or closed: whether a result answers the one or the other is
 * open, and neither may be left as the other's.
 */
export function linkReusedIds(messages: Messages, entries: readonly DraftEntry[]): void {
  const calls = new Map<string, LatestCall>()
  const tie = createTies('same-id')
  let turn = 0
  for (const entry of entries) {
    if (closesExchanges(entry)) turn += 1
    for (const part of partsOf(messages[entry.index])) {
      const id = textMember(part, 'toolCallId') ?? ''
      const call = calls.get(id)
      if (part.type === 'tool-call') {
        if (call?.turn === turn && !call.isAnswered) tie(call.entry, entry)
        calls.set(id, { entry, turn, isReused: call !== undefined, isAnswered: false })
      } else if (part.type === 'tool-result' && call !== undefined) {
        call.isAnswered = true
        if (call.isReused) tie(call.entry, entry)
      }
    }
  }
}

interface LatestCall {
  readonly entry: DraftEntry
  readonly turn: number
  readonly isReused: boolean
  isAnswered: boolean
}

/** A call that the provider's own code made stays with that code's (Anthropic, programmatic tool calling). */
export function linkCallers(messages: Messages, entries: readonly DraftEntry[]): void {
  const calls = new Map<string, DraftEntry>()
  const tie = createTies('caller')
  for (const entry of entries) {
    for (const part of partsOf(messages[entry.index])) {
      if (part.type !== 'tool-call') continue
      calls.set(textMember(part, 'toolCallId') ?? '', entry)
      const caller = calls.get(callerOf(part) ?? '')
      if (caller !== undefined) tie(caller, entry)
    }
  }
}

/** An approval's request stays with its call, and its response with the request. */
export function linkApprovals(
  messages: Messages,
  entries: readonly DraftEntry[],
  { warnings }: Reading,
): void {
  const calls = new Map<string, DraftEntry>()
  const requests = new Map<string, DraftEntry>()
  const tie = createTies('approval')
  for (const entry of entries) {
    const parts = partsOf(messages[entry.index])
    // A call may stand beside its request in any order.
    for (const { type, toolCallId } of parts) {
      if (type === 'tool-call' && typeof toolCallId === 'string') calls.set(toolCallId, entry)
    }
    for (const [position, part] of parts.entries()) {
      const isRequest = part.type === 'tool-approval-request'
      if (!isRequest && part.type !== 'tool-approval-response') continue
      const approval = textMember(part, 'approvalId') ?? ''
      if (isRequest) requests.set(approval, entry)
      const counterpart = isRequest
        ? calls.get(textMember(part, 'toolCallId') ?? '')
        : requests.get(approval)
      if (counterpart !== undefined) {
        tie(counterpart, entry)
        continue
      }
      const { code, message } = isRequest ? ORPHAN_REQUEST : ORPHAN_RESPONSE
      warnings.add(code, message, pointerTo(entry.index, position))
    }
  }
}

const ORPHAN_REQUEST = {
  code: 'orphan-approval-request',
  message: 'no earlier tool call has this id',
}
const ORPHAN_RESPONSE = {
  code: 'orphan-approval-response',
  message: 'nothing earlier asks for this approval',
}

/** A provider takes the results of the tools that it ran in the very shape in which they came. */
export function keepProviderResults(messages: Messages, entries: readonly DraftEntry[]): void {
  const providers = new Set<string>()
  for (const entry of entries) {
    for (const [position, part] of partsOf(messages[entry.index]).entries()) {
      const id = textMember(part, 'toolCallId') ?? ''
      if (part.type === 'tool-call') {
        if (part.providerExecuted === true) providers.add(id)
        else providers.delete(id)
      } else if (part.type === 'tool-result') {
        const read = entry.parts[position]
        const isProviders = entry.role === 'assistant' || providers.has(id)
        if (read !== undefined && isProviders) read.rewritable = false
      }
    }
  }
}

/** Id of the call that made this one. */
function callerOf(part: JsonObject): string | undefined {
  for (const { caller } of optionsOf(part)) {
    if (isRecord(caller)) return textMember(caller, 'toolId')
  }
  return undefined
}

function createTies(name: string): (first: DraftEntry, second: DraftEntry) => void {
  let count = 0
  return (first, second) => {
    if (first === second) return
    share(`${name}:${count}`, [first, second])
    count += 1
  }
}

function partsOf(message: JsonValue | undefined): readonly JsonObject[] {
  if (!isRecord(message) || !isArray(message.content)) return []
  return message.content.filter((part) => isRecord(part))
}
