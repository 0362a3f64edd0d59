import { findFaults } from './find-faults.ts'
import { asArray, asRecord } from './json.ts'
import type { Fault, WireFormat, WirePayload } from './types.ts'

/** Rules about the payload as a whole: whichever message they point to, it is the same fault. */
const PAYLOAD_RULES: ReadonlySet<string> = new Set([
  'no-messages',
  'first-message-not-user',
  'too-many-cache-breakpoints',
])

/**
 * The faults of `after` that `before` did not have. A fault is recognised by its rule, by the call,
 * result or part it is about, and by its message, never by an index: messages move when others go.
 * A message that was edited is recognised by its own ids; where it has none, by role and kinds of
 * parts. Each fault of `before` excuses one fault of `after`.
 */
export function newFaults(format: WireFormat, before: WirePayload, after: WirePayload): Fault[] {
  const old = findFaults(format, before).map((fault) => locate(before, fault))
  const now = findFaults(format, after).map((fault) => locate(after, fault))
  const known = new Set(before.messages.map((message) => JSON.stringify(message)))
  const unexplained = subtract(now, old, ({ exact }) => exact)
  const vanished = subtract(old, now, ({ exact }) => exact)
  const onEdited = unexplained.filter(({ text }) => !known.has(text))
  const onUntouched = unexplained.filter(({ text }) => known.has(text))
  const added = new Set([...onUntouched, ...subtract(onEdited, vanished, ({ loose }) => loose)])
  return now.filter((located) => added.has(located)).map(({ fault }) => fault)
}

interface LocatedFault {
  readonly fault: Fault
  /** The message as JSON. */
  readonly text: string
  /** Key that only an untouched message shares. */
  readonly exact: string
  /** Key that survives an edit of the message. */
  readonly loose: string
}

function locate(payload: WirePayload, fault: Fault): LocatedFault {
  if (PAYLOAD_RULES.has(fault.rule)) {
    return { fault, text: '', exact: fault.rule, loose: fault.rule }
  }
  const steps = fault.pointer.split('/').slice(1)
  const inMessage = steps[0] === 'messages'
  const message = inMessage ? payload.messages[Number(steps[1])] : payload.system
  const text = JSON.stringify(message)
  const subject = subjectAt(message, steps.slice(inMessage ? 2 : 1))
  return {
    fault,
    text,
    exact: JSON.stringify([fault.rule, subject, text]),
    loose: JSON.stringify([fault.rule, subject, shapeOf(message)]),
  }
}

/** What the fault is about, by name: two calls of one message are two subjects. */
function subjectAt(message: unknown, steps: readonly string[]): unknown {
  let value = message
  let previous: unknown = null
  for (const step of steps) {
    previous = value
    value = asRecord(value)[step] ?? asArray(value)[Number(step)]
  }
  const { id, tool_use_id: answers, name, type } = asRecord(value)
  const subject = id ?? answers ?? name ?? type ?? null
  return Array.isArray(previous) || typeof subject === 'string' ? subject : (steps.at(-1) ?? null)
}

function shapeOf(message: unknown): unknown {
  const { role, id, tool_call_id: answers, toolCallId, content, ...rest } = asRecord(message)
  const calls = asArray(rest.tool_calls).map((call) => asRecord(call).id)
  const blocks = asArray(content).map(asRecord)
  const blockIds = blocks.flatMap((block) => [block.id, block.tool_use_id])
  const ids = [id, answers, toolCallId, ...calls, ...blockIds].filter(
    (value) => value !== undefined,
  )
  return [role, ids.length > 0 ? ids : blocks.map(({ type }) => type)]
}

/** `items` without those whose key occurs in `others`; one for one. */
function subtract(
  items: readonly LocatedFault[],
  others: readonly LocatedFault[],
  keyOf: (item: LocatedFault) => string,
): LocatedFault[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1)
  return items.filter((item) => {
    const count = left.get(keyOf(item)) ?? 0
    left.set(keyOf(item), count - 1)
    return count <= 0
  })
}
