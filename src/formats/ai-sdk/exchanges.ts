import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import { isArray, isRecord, pointer } from '../json.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'duplicate-result'
  | 'duplicate-call-id'
  | 'approval-without-call'
  | 'approval-without-request'

interface Call {
  readonly pointer: string
  readonly isProviders: boolean
  isAnswered: boolean
}

interface Walk {
  /** The latest call of each id. */
  readonly calls: Map<string, Call>
  /** Calls that no user or system message has closed, and of each id those without a result. */
  open: Call[]
  unanswered: Map<string, Call[]>
  readonly approvals: Set<string>
  readonly report: (fault: ExchangeFault, at: string) => void
}

/**
 * One walk over the messages, as the SDK makes it before it sends a prompt: a user's or a system
 * message closes the exchange, and what its own tools were asked must be answered by then. What is
 * open at the end is pending, no fault. Written apart from `read`, which pairs over any distance.
 */
export function findExchangeFaults(
  messages: readonly JsonValue[],
): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const walk: Walk = {
    calls: new Map(),
    open: [],
    unanswered: new Map(),
    approvals: new Set(),
    report: (fault, at) => {
      faults.push({ fault, pointer: at })
    },
  }
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue
    if (message.role === 'user' || message.role === 'system') close(walk)
    if (isArray(message.content)) visitParts(message.content, index, walk)
  }
  return faults
}

function close(walk: Walk): void {
  for (const call of walk.open) {
    if (!call.isAnswered && !call.isProviders) walk.report('call-without-result', call.pointer)
  }
  walk.open = []
  walk.unanswered = new Map()
}

function visitParts(parts: readonly JsonValue[], index: number, walk: Walk): void {
  const requests: [part: JsonObject, at: string][] = []
  for (const [position, part] of parts.entries()) {
    if (!isRecord(part)) continue
    const at = pointer('messages', index, 'content', position)
    if (part.type === 'tool-call') visitCall(part, at, walk)
    else if (part.type === 'tool-result') visitResult(part, at, walk)
    else if (part.type === 'tool-approval-request') requests.push([part, at])
    else if (part.type === 'tool-approval-response' && !walk.approvals.has(idOf(part.approvalId))) {
      walk.report('approval-without-request', at)
    }
  }
  // A call may stand beside its request in any order.
  for (const [part, at] of requests) {
    walk.approvals.add(idOf(part.approvalId))
    if (!walk.calls.has(idOf(part.toolCallId))) walk.report('approval-without-call', at)
  }
}

function visitCall(part: JsonObject, at: string, walk: Walk): void {
  const id = idOf(part.toolCallId)
  if (walk.calls.has(id)) walk.report('duplicate-call-id', at)
  const call = { pointer: at, isProviders: part.providerExecuted === true, isAnswered: false }
  walk.calls.set(id, call)
  walk.open.push(call)
  const waiting = walk.unanswered.get(id)
  if (waiting === undefined) walk.unanswered.set(id, [call])
  else waiting.push(call)
}

function visitResult(part: JsonObject, at: string, walk: Walk): void {
  const id = idOf(part.toolCallId)
  const call = walk.unanswered.get(id)?.pop()
  if (call !== undefined) {
    call.isAnswered = true
    return
  }
  const latest = walk.calls.get(id)
  if (latest === undefined) {
    walk.report('result-without-call', at)
  } else if (latest.isAnswered) {
    walk.report('duplicate-result', at)
  } else {
    walk.report('result-misplaced', at)
    latest.isAnswered = true
  }
}

function idOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
