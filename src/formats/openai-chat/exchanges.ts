import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import { isArray, isRecord, pointer } from '../json.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'duplicate-result'
  | 'duplicate-call-id'

interface OpenCall {
  readonly message: number
  readonly position: number
  isAnswered: boolean
}

/** Position of a function call of the first API, which is none of `tool_calls`. */
const FUNCTION_CALL = -1

/**
 * One walk over the messages that follows calls and results as the API does: the calls of an
 * assistant message must all be answered by the tool messages right after it. Written apart from
 * `read`, which pairs over any distance. Calls that only results follow are pending, no fault.
 */
export function findExchangeFaults(
  messages: readonly JsonValue[],
): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const everCalled = new Set<string>()
  let open = new Map<string, OpenCall>()
  const answer = (id: string, message: number): void => {
    const call = open.get(id)
    if (call !== undefined && !call.isAnswered) {
      call.isAnswered = true
      return
    }
    const unknown = everCalled.has(id) ? 'result-misplaced' : 'result-without-call'
    const fault = call === undefined ? unknown : 'duplicate-result'
    faults.push({ fault, pointer: pointer('messages', message) })
  }
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue
    if (message.role === 'tool') {
      answer(`id:${idOf(message.tool_call_id)}`, index)
    } else if (message.role === 'function') {
      answer(`name:${idOf(message.name)}`, index)
    } else {
      reportUnanswered(open, faults)
      open = openCalls(message, index, everCalled, faults)
    }
  }
  return faults
}

function reportUnanswered(
  open: ReadonlyMap<string, OpenCall>,
  faults: FaultyPlace<ExchangeFault>[],
): void {
  for (const call of open.values()) {
    if (!call.isAnswered) faults.push({ fault: 'call-without-result', pointer: pointerTo(call) })
  }
}

function openCalls(
  message: JsonObject,
  index: number,
  everCalled: Set<string>,
  faults: FaultyPlace<ExchangeFault>[],
): Map<string, OpenCall> {
  const open = new Map<string, OpenCall>()
  if (message.role !== 'assistant') return open
  const add = (id: string, position: number): void => {
    const call = { message: index, position, isAnswered: false }
    if (open.has(id)) faults.push({ fault: 'duplicate-call-id', pointer: pointerTo(call) })
    else open.set(id, call)
    everCalled.add(id)
  }
  if (isArray(message.tool_calls)) {
    for (const [position, call] of message.tool_calls.entries()) {
      if (isRecord(call)) add(`id:${idOf(call.id)}`, position)
    }
  }
  if (isRecord(message.function_call)) {
    add(`name:${idOf(message.function_call.name)}`, FUNCTION_CALL)
  }
  return open
}

function pointerTo({ message, position }: OpenCall): string {
  return position === FUNCTION_CALL
    ? pointer('messages', message, 'function_call')
    : pointer('messages', message, 'tool_calls', position)
}

function idOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
