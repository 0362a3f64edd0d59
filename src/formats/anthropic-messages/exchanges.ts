import type { FaultyPlace } from '../exchange-rule.ts'
import { textMember } from '../json.ts'
import { isServerCall, isServerResult } from './blocks.ts'
import { blockPointer, type Turn, type TurnBlock } from './turns.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'duplicate-result'
  | 'duplicate-call-id'
  | 'results-first'
  | 'server-call-without-result'
  | 'server-result-without-call'

interface OpenCall {
  readonly block: TurnBlock
  isAnswered: boolean
}

/**
 * One walk over the turns that follows calls and results as the API does: the calls of an assistant
 * turn must all be answered in the user turn after it. Written apart from `read`, which pairs over
 * any distance. Calls of the last assistant turn are pending, no fault, as long as nothing but
 * results follows them.
 */
export function findExchangeFaults(turns: readonly Turn[]): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const add: Add = (fault, block) => {
    faults.push({ fault, pointer: blockPointer(block) })
  }
  const everCalled = new Set<string>()
  let open: ReadonlyMap<string, OpenCall> = NO_CALLS
  const spoken = turns.filter(({ role }) => role !== 'system')
  for (const [position, { role, blocks }] of spoken.entries()) {
    if (role === 'assistant') {
      open = openCalls(blocks, everCalled, add)
      continue
    }
    closeWithResults(blocks, open, everCalled, add)
    const isTail = position === spoken.length - 1 && blocks.every(isResult)
    for (const call of open.values()) {
      if (!call.isAnswered && !isTail) add('call-without-result', call.block)
    }
    open = NO_CALLS
  }
  findServerFaults(spoken, add)
  return faults
}

const NO_CALLS: ReadonlyMap<string, OpenCall> = new Map()

type Add = (fault: ExchangeFault, block: TurnBlock) => void

function openCalls(
  blocks: readonly TurnBlock[],
  everCalled: Set<string>,
  add: Add,
): ReadonlyMap<string, OpenCall> {
  let open: Map<string, OpenCall> | undefined
  for (const block of blocks) {
    if (block.type !== 'tool_use') continue
    open ??= new Map()
    const id = textMember(block.value, 'id') ?? ''
    if (everCalled.has(id)) add('duplicate-call-id', block)
    everCalled.add(id)
    open.set(id, { block, isAnswered: false })
  }
  return open ?? NO_CALLS
}

function closeWithResults(
  blocks: readonly TurnBlock[],
  open: ReadonlyMap<string, OpenCall>,
  everCalled: ReadonlySet<string>,
  add: Add,
): void {
  let hasOther = false
  for (const block of blocks) {
    if (!isResult(block)) {
      hasOther = true
      continue
    }
    if (hasOther) add('results-first', block)
    const id = textMember(block.value, 'tool_use_id') ?? ''
    const call = open.get(id)
    if (call === undefined) {
      add(everCalled.has(id) ? 'result-misplaced' : 'result-without-call', block)
    } else if (call.isAnswered) {
      add('duplicate-result', block)
    } else {
      call.isAnswered = true
    }
  }
}

/**
 * A server tool answers in the turn in which it was called. The turn goes on over the results of
 * client tools that it called, and ends where the user says something; one that was paused may still
 * be open.
 */
function findServerFaults(spoken: readonly Turn[], add: Add): void {
  let called = new Set<string>()
  let open = new Map<string, TurnBlock>()
  for (const { role, blocks } of spoken) {
    if (role === 'user') {
      if (blocks.length > 0 && blocks.every(isResult)) continue
      for (const block of open.values()) add('server-call-without-result', block)
      if (called.size > 0) called = new Set()
      if (open.size > 0) open = new Map()
      continue
    }
    for (const block of blocks) {
      const { type, value } = block
      if (isServerCall(type)) {
        const id = textMember(value, 'id') ?? ''
        called.add(id)
        open.set(id, block)
      } else if (isServerResult(type)) {
        const id = textMember(value, 'tool_use_id') ?? ''
        if (!called.has(id)) add('server-result-without-call', block)
        open.delete(id)
      }
    }
  }
}

function isResult({ type }: TurnBlock): boolean {
  return type === 'tool_result'
}
