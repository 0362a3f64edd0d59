import type { AiSdkMessage } from './ai-sdk-parts.ts'
import type { JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

interface Call {
  readonly pointer: string
  readonly id: unknown
  readonly isOwnTool: boolean
  /** Of the exchange: how many user and system messages came before. */
  readonly exchange: number
  isAnswered: boolean
  /** Answered by a tool message in its own exchange, which is where the SDK looks. */
  isSettled: boolean
}

/**
 * Calls and results in ModelMessages. Results may be spread over several tool messages, which the
 * SDK joins; provider-executed calls have theirs in an assistant message, at once or later.
 *
 * - `call-without-result`: MissingToolResultsError, raised at the next user or system message. A
 *   call that none of them follows is still pending, and so is one that waits for an approval. Only
 *   a tool message answers a call of the caller's own tools.
 * - `result-without-call`: a result whose call is nowhere before it.
 * - `result-misplaced`: its exchange was closed before by a user or system message.
 * - `duplicate-result`: its call has a result.
 * - `duplicate-call-id`: results find their calls by id alone, over the whole conversation.
 */
export function findAiSdkToolFaults(messages: readonly AiSdkMessage[]): Fault[] {
  const calls = new Map<unknown, Call>()
  const all: Call[] = []
  const faults: Fault[] = []
  let exchange = 0
  for (const { role, parts, pointer } of messages) {
    if (role === 'user' || role === 'system') exchange += 1
    if (role !== 'assistant' && role !== 'tool') continue
    parts.forEach((part, position) => {
      const at = `${pointer}/content/${position}`
      if (part.type === 'tool-call' && role === 'assistant') {
        if (calls.has(part.toolCallId)) faults.push({ rule: 'duplicate-call-id', pointer: at })
        const call = readCall(part, at, exchange)
        calls.set(call.id, call)
        all.push(call)
      } else if (part.type === 'tool-result') {
        const rule = settle(calls.get(part.toolCallId), exchange, role)
        if (rule !== null) faults.push({ rule, pointer: at })
      }
    })
  }
  const missing = all.filter(
    (call) => call.isOwnTool && !call.isSettled && call.exchange < exchange,
  )
  return [...faults, ...missing.map(({ pointer }) => ({ rule: 'call-without-result', pointer }))]
}

function readCall(part: JsonRecord, pointer: string, exchange: number): Call {
  return {
    pointer,
    id: part.toolCallId,
    isOwnTool: part.providerExecuted !== true,
    exchange,
    isAnswered: false,
    isSettled: false,
  }
}

/** Gives a result to its call. The rule that is broken by it, or null. */
function settle(call: Call | undefined, exchange: number, role: unknown): string | null {
  if (call === undefined) return 'result-without-call'
  const isFirst = !call.isAnswered
  const isInTime = call.exchange === exchange
  call.isAnswered = true
  if (isInTime && role === 'tool') call.isSettled = true
  if (!isFirst) return 'duplicate-result'
  return isInTime ? null : 'result-misplaced'
}
