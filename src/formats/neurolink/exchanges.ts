import type { JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import { isRecord, pointer, textMember } from '../json.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'duplicate-result'
  | 'duplicate-call-id'

interface Member {
  readonly id: string | undefined
  readonly message: number
}

type Add = (fault: ExchangeFault, member: Member) => void

/**
 * One walk that follows calls and results batch by batch, as NeuroLink's own repair does: calls, then
 * their results, nothing between. Written apart from `read`, which also pairs across text. The calls
 * of a batch that ends the conversation are pending, no fault.
 */
export function findExchangeFaults(
  messages: readonly JsonValue[],
): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const add: Add = (fault, { message }) => {
    faults.push({ fault, pointer: pointer('messages', message) })
  }
  const everCalled = new Set<string>()
  let calls: Member[] = []
  let results: Member[] = []
  const close = (isTail: boolean): void => {
    judgeBatch({ calls, results, isTail }, everCalled, add)
    calls = []
    results = []
  }
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue
    const member = { id: textMember(message, 'toolCallId'), message: index }
    if (message.role === 'tool_call') {
      if (results.length > 0) close(false)
      calls.push(member)
    } else if (message.role === 'tool_result') {
      results.push(member)
    } else {
      close(false)
    }
  }
  close(true)
  return faults
}

interface Batch {
  readonly calls: readonly Member[]
  readonly results: readonly Member[]
  readonly isTail: boolean
}

function judgeBatch(batch: Batch, everCalled: Set<string>, add: Add): void {
  const { calls, results } = batch
  const hasIds = [...calls, ...results].every(({ id }) => id !== undefined)
  if (hasIds) judgeByIds(batch, everCalled, add)
  else judgeByPosition(batch, add)
}

function judgeByIds({ calls, results, isTail }: Batch, everCalled: Set<string>, add: Add): void {
  const isAnswered = new Map<string, boolean>()
  for (const call of calls) {
    const { id = '' } = call
    if (isAnswered.has(id)) add('duplicate-call-id', call)
    isAnswered.set(id, false)
    everCalled.add(id)
  }
  for (const result of results) {
    const { id = '' } = result
    const answered = isAnswered.get(id)
    if (answered === undefined) {
      add(everCalled.has(id) ? 'result-misplaced' : 'result-without-call', result)
    } else if (answered) {
      add('duplicate-result', result)
    } else {
      isAnswered.set(id, true)
    }
  }
  if (isTail) return
  for (const call of calls) {
    if (isAnswered.get(call.id ?? '') === false) add('call-without-result', call)
  }
}

function judgeByPosition({ calls, results, isTail }: Batch, add: Add): void {
  for (const result of results.slice(calls.length)) add('result-without-call', result)
  if (isTail) return
  for (const call of calls.slice(results.length)) add('call-without-result', call)
}
