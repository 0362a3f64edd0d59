import type { FaultyPlace } from '../exchange-rule.ts'
import { textMember } from '../json.ts'
import { partPointer, type WireContent, type WirePart } from './wire-part.ts'

export type ExchangeFault =
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'duplicate-result'

interface Call {
  readonly part: WirePart
  readonly id: string | undefined
  readonly name: string
  isAnswered: boolean
}

/** Calls of one key, of which those before `next` are answered. */
interface Queue {
  readonly calls: Call[]
  next: number
}

/** Calls under each key by which a response may name them. */
type CallsByKey = Map<string, Queue>

/** Nothing is ever added to it. */
const NO_CALLS: CallsByKey = new Map()

/**
 * One walk over the contents that follows calls and responses as the API does: the calls of a
 * content are all answered in the content right after it. A response names its call by id where a
 * call has that id, else by the function's name, in order; an id that its client made up says
 * nothing about calls without one. Written apart from `read`, which pairs over any distance. Calls
 * of the last content that is more than responses are pending, no fault.
 */
export function findExchangeFaults(
  contents: readonly WireContent[],
): readonly FaultyPlace<ExchangeFault>[] {
  const faults: FaultyPlace<ExchangeFault>[] = []
  const add = (fault: ExchangeFault, part: WirePart): void => {
    faults.push({ fault, pointer: partPointer(part) })
  }
  const earlier: CallsByKey = new Map()
  const firstPending = contents.findLastIndex((content) => !isOnlyResponses(content))
  let calls: readonly Call[] = []
  let open: CallsByKey = NO_CALLS
  for (const { index, parts } of contents) {
    for (const part of parts) {
      if (part.isResponse) answer(part, open, earlier, add)
    }
    for (const call of calls) {
      if (!call.isAnswered && index - 1 < firstPending) add('call-without-result', call.part)
    }
    calls = parts.filter(({ isCall }) => isCall).map(toCall)
    open = calls.length === 0 ? NO_CALLS : new Map()
    for (const call of calls) {
      for (const index of [open, earlier]) addTo(index, call)
    }
  }
  return faults
}

function toCall(part: WirePart): Call {
  const id = textMember(part.body, 'id')
  return { part, id, name: textMember(part.body, 'name') ?? '', isAnswered: false }
}

function keysOf({ id, name }: Pick<Call, 'id' | 'name'>): string[] {
  return [`name:${name}`, id === undefined ? `no-id:${name}` : `id:${id}`]
}

function addTo(byKey: CallsByKey, call: Call): void {
  for (const key of keysOf(call)) {
    const queue = byKey.get(key)
    if (queue === undefined) byKey.set(key, { calls: [call], next: 0 })
    else queue.calls.push(call)
  }
}

function answer(
  part: WirePart,
  open: CallsByKey,
  earlier: CallsByKey,
  add: (fault: ExchangeFault, part: WirePart) => void,
): void {
  const id = textMember(part.body, 'id')
  const name = textMember(part.body, 'name') ?? ''
  const keys = id === undefined ? [`name:${name}`] : [`id:${id}`, `no-id:${name}`]
  const find = (byKey: CallsByKey): Queue | undefined =>
    keys.map((key) => byKey.get(key)).find((found) => found !== undefined)
  const queue = find(open) ?? find(earlier)
  if (queue === undefined) {
    add('result-without-call', part)
    return
  }
  const call = takeOpen(queue)
  if (call === undefined) add('duplicate-result', part)
  else if (find(open) === undefined) add('result-misplaced', part)
}

/** Each call is passed over once, so that all looks together are linear. */
function takeOpen(queue: Queue): Call | undefined {
  while (queue.calls[queue.next]?.isAnswered === true) queue.next += 1
  const call = queue.calls[queue.next]
  if (call !== undefined) call.isAnswered = true
  return call
}

function isOnlyResponses({ parts }: WireContent): boolean {
  return parts.length > 0 && parts.every(({ isResponse }) => isResponse)
}
