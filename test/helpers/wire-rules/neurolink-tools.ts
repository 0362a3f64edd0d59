import { asRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Pairing in a NeuroLink conversation, as its tool-pair repair reads it. A batch is a maximal run
 * of `tool_call` and the maximal run of `tool_result` behind it. A batch in which both sides are
 * present and every member has a `toolCallId` pairs by that id in any order; any other batch pairs
 * by position. Ids are not matched across batches, so they may come back later.
 *
 * - `missing-result`: a call without result, unless its batch is the tail (still pending).
 * - `orphan-result`: a result without call.
 * - `duplicate-result`, `duplicate-call`: an id twice on one side of a batch.
 * - `mismatched-tool`: call and result of a pair name different tools.
 */
export function findNeurolinkToolFaults(messages: readonly unknown[]): Fault[] {
  const faults: Fault[] = []
  let index = 0
  while (index < messages.length) {
    const callsEnd = endOfRun(messages, index, 'tool_call')
    const resultsEnd = endOfRun(messages, callsEnd, 'tool_result')
    if (resultsEnd === index) {
      index += 1
      continue
    }
    const calls = range(index, callsEnd)
    const results = range(callsEnd, resultsEnd)
    const isTail = resultsEnd === messages.length
    faults.push(...findBatchFaults(messages, calls, results, isTail))
    index = resultsEnd
  }
  return faults
}

function findBatchFaults(
  messages: readonly unknown[],
  calls: readonly number[],
  results: readonly number[],
  isTail: boolean,
): Fault[] {
  const idOf = (index: number) => asRecord(messages[index]).toolCallId
  const hasId = (index: number) => typeof idOf(index) === 'string' && idOf(index) !== ''
  const byId =
    calls.length > 0 && results.length > 0 && [...calls, ...results].every((at) => hasId(at))
  const keysOfCalls = calls.map((index, position) => (byId ? idOf(index) : position))
  const keysOfResults = results.map((index, position) => (byId ? idOf(index) : position))

  const faults: Fault[] = []
  const callOf = new Map<unknown, number>()
  calls.forEach((index, position) => {
    const key = keysOfCalls[position]
    if (callOf.has(key)) faults.push({ rule: 'duplicate-call', pointer: `/messages/${index}` })
    else callOf.set(key, index)
  })
  const answered = new Set<unknown>()
  results.forEach((index, position) => {
    const key = keysOfResults[position]
    const call = callOf.get(key)
    const pointer = `/messages/${index}`
    if (call === undefined) faults.push({ rule: 'orphan-result', pointer })
    else if (answered.has(key)) faults.push({ rule: 'duplicate-result', pointer })
    else if (namesDiffer(messages[call], messages[index])) {
      faults.push({ rule: 'mismatched-tool', pointer: `${pointer}/tool` })
    }
    answered.add(key)
  })
  if (isTail) return faults
  for (const [key, index] of callOf) {
    if (!answered.has(key)) faults.push({ rule: 'missing-result', pointer: `/messages/${index}` })
  }
  return faults
}

function namesDiffer(call: unknown, result: unknown): boolean {
  const asked = asRecord(call).tool
  const answering = asRecord(result).tool
  return typeof asked === 'string' && typeof answering === 'string' && asked !== answering
}

function endOfRun(messages: readonly unknown[], start: number, role: string): number {
  let end = start
  while (end < messages.length && asRecord(messages[end]).role === role) end += 1
  return end
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset)
}
