import { asArray, asRecord, isRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Pairing of calls and results in OpenAI chat completions.
 *
 * - `call-without-result`: "An assistant message with 'tool_calls' must be followed by tool messages
 *   responding to each 'tool_call_id'". Calls are still pending, and that is no fault, while the
 *   assistant message and whatever results it has so far are the tail.
 * - `result-without-call`: "messages with role 'tool' must be a response to a preceding message with
 *   'tool_calls'". Only the run of tool messages directly behind the assistant message answers it.
 * - `duplicate-result`: "Duplicate value for 'tool_call_id'", within one such run. Ids may come
 *   back in a later turn: several OpenAI-compatible servers count `call_0` anew each time.
 * - `duplicate-call-id`, `missing-call-id`: within one message, an id that cannot be answered alone.
 *
 * The deprecated pair of `function_call` and the function message with the same name behind it
 * (reference, "Function message") keeps the first two rules.
 */
export function findOpenaiToolFaults(messages: readonly unknown[]): Fault[] {
  const faults: Fault[] = []
  let index = 0
  while (index < messages.length) {
    const message = asRecord(messages[index])
    const calls = message.role === 'assistant' ? asArray(message.tool_calls) : []
    let end = index + 1
    if (calls.length > 0) {
      while (end < messages.length && asRecord(messages[end]).role === 'tool') end += 1
      faults.push(...findRunFaults(messages, calls, index, end))
    } else if (message.role === 'tool') {
      faults.push({ rule: 'result-without-call', pointer: `/messages/${index}` })
    }
    faults.push(...findFunctionFaults(messages, index))
    index = end
  }
  return faults
}

function findRunFaults(
  messages: readonly unknown[],
  calls: readonly unknown[],
  start: number,
  end: number,
): Fault[] {
  const faults: Fault[] = []
  const pointers = new Map<unknown, string>()
  calls.forEach((call, position) => {
    const { id } = asRecord(call)
    const pointer = `/messages/${start}/tool_calls/${position}`
    if (typeof id !== 'string' || id === '') faults.push({ rule: 'missing-call-id', pointer })
    else if (pointers.has(id)) faults.push({ rule: 'duplicate-call-id', pointer })
    else pointers.set(id, pointer)
  })
  const answered = new Set<unknown>()
  for (let index = start + 1; index < end; index += 1) {
    const id = asRecord(messages[index]).tool_call_id
    const pointer = `/messages/${index}`
    if (!pointers.has(id)) faults.push({ rule: 'result-without-call', pointer })
    else if (answered.has(id)) faults.push({ rule: 'duplicate-result', pointer })
    answered.add(id)
  }
  if (end === messages.length) return faults
  for (const [id, pointer] of pointers) {
    if (!answered.has(id)) faults.push({ rule: 'call-without-result', pointer })
  }
  return faults
}

function findFunctionFaults(messages: readonly unknown[], index: number): Fault[] {
  const message = asRecord(messages[index])
  if (message.role === 'function') {
    const call = asRecord(asRecord(messages[index - 1]).function_call)
    const answers = index > 0 && typeof call.name === 'string' && call.name === message.name
    return answers ? [] : [{ rule: 'result-without-call', pointer: `/messages/${index}` }]
  }
  if (!isRecord(message.function_call) || index === messages.length - 1) return []
  const next = asRecord(messages[index + 1])
  const answered = next.role === 'function' && next.name === message.function_call.name
  if (answered) return []
  return [{ rule: 'call-without-result', pointer: `/messages/${index}/function_call` }]
}
