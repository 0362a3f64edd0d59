import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asArray, asRecord, type JsonRecord } from '../../helpers/wire-rules/json.ts'

/** Messages at the end with a call that has no result yet. In a valid conversation there are no others. */
export function pendingMessages(format: WireFormat, messages: readonly unknown[]): number[] {
  switch (format) {
    case 'neurolink':
      return pendingBatch(messages)
    case 'openai-responses':
    case 'ai-sdk':
      return pendingById(messages)
    default:
      return pendingAsker(messages)
  }
}

/** Calls and results name each other, wherever they stand. */
function pendingById(messages: readonly unknown[]): number[] {
  const answered = new Set(messages.flatMap((message) => exchangesOf(message).answered))
  return messages.flatMap((message, index) =>
    exchangesOf(message).asked.some((id) => !answered.has(id)) ? [index] : [],
  )
}

function exchangesOf(message: unknown): { asked: unknown[]; answered: unknown[] } {
  const asked: unknown[] = []
  const answered: unknown[] = []
  const value = asRecord(message)
  for (const part of [value, ...asArray(value.content).map(asRecord)]) {
    const { type, toolCallId, execution, providerExecuted } = part
    if (type === 'tool-call' && providerExecuted !== true) asked.push(toolCallId)
    if (type === 'tool-result') answered.push(toolCallId)
    if (type === 'mcp_approval_request') asked.push(part.id)
    if (type === 'mcp_approval_response') answered.push(part.approval_request_id)
    if (typeof part.call_id === 'string' && execution !== 'server') {
      if (/_call$/.test(String(type))) asked.push(part.call_id)
      if (/_output$/.test(String(type))) answered.push(part.call_id)
    }
    if (type === 'local_shell_call_output') answered.push(part.id)
  }
  return { asked, answered }
}

/** The last message of the assistant, if it asks for more than what comes after it. */
function pendingAsker(messages: readonly unknown[]): number[] {
  const last = messages.findLastIndex((message) => {
    const { role } = asRecord(message)
    return role === 'assistant' || role === 'model'
  })
  if (last < 0) return []
  const { tool_calls: calls, function_call: call } = asRecord(messages[last])
  const uses = blocksOf(messages[last]).filter(isCall).length
  const asked = asArray(calls).length + uses + (call === undefined || call === null ? 0 : 1)
  const results = messages.slice(last + 1).reduce((sum: number, message) => {
    const { role, parts } = asRecord(message)
    if (parts === undefined && (role === 'tool' || role === 'function')) return sum + 1
    return sum + blocksOf(message).filter(isResult).length
  }, 0)
  return asked > results ? [last] : []
}

function blocksOf(message: unknown): JsonRecord[] {
  const { content, parts } = asRecord(message)
  return [...asArray(content), ...asArray(parts)].map(asRecord)
}

function isCall({ type, functionCall, function_call: snake }: JsonRecord): boolean {
  return type === 'tool_use' || functionCall !== undefined || snake !== undefined
}

function isResult({ type, functionResponse, function_response: snake }: JsonRecord): boolean {
  return type === 'tool_result' || functionResponse !== undefined || snake !== undefined
}

/** Calls of the batch that ends the conversation: by id where each has one, else by position. */
function pendingBatch(messages: readonly unknown[]): number[] {
  const roleAt = (index: number) => asRecord(messages[index]).role
  const idAt = (index: number) => asRecord(messages[index]).toolCallId
  let results = messages.length
  while (results > 0 && roleAt(results - 1) === 'tool_result') results -= 1
  let start = results
  while (start > 0 && roleAt(start - 1) === 'tool_call') start -= 1
  const calls = range(start, results)
  const answers = range(results, messages.length)
  const answered = new Set(answers.map(idAt))
  const byId = [...calls, ...answers].every((index) => typeof idAt(index) === 'string')
  return calls.filter((index, position) =>
    byId ? !answered.has(idAt(index)) : position >= answers.length,
  )
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset)
}
