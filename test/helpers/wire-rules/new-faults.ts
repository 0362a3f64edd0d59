import { conversationListOf, listMemberOf } from './conversation-list.ts'
import { findFaults } from './find-faults.ts'
import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault, WireFormat, WirePayload } from './types.ts'

/** Rules about the payload as a whole: whichever message they point to, it is the same fault. */
const PAYLOAD_RULES: ReadonlySet<string> = new Set([
  'no-messages',
  'first-role',
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
  const known = new Set(conversationListOf(before).map((message) => JSON.stringify(message)))
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
  const inMessage = steps[0] === listMemberOf(payload)
  const message = inMessage ? conversationListOf(payload)[Number(steps[1])] : payload.system
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
  const { name, type } = asRecord(value)
  const subject = idsOf(asRecord(value))[0] ?? name ?? type ?? null
  return Array.isArray(previous) || typeof subject === 'string' ? subject : (steps.at(-1) ?? null)
}

function shapeOf(message: unknown): unknown {
  const value = asRecord(message)
  const blocks = [...asArray(value.content), ...asArray(value.parts)].map(asRecord)
  const ids = [value, ...asArray(value.tool_calls).map(asRecord), ...blocks].flatMap(idsOf)
  const kinds = blocks.map(({ type, ...members }) => type ?? Object.keys(members)[0])
  return [value.role ?? value.type, ids.length > 0 ? ids : kinds]
}

/** Members by which a format names a message, a call, or what a result answers. */
const ID_MEMBERS = [
  'id',
  'call_id',
  'tool_use_id',
  'tool_call_id',
  'toolCallId',
  'approval_request_id',
  'approvalId',
] as const

/** The part of Gemini names its call, or what it answers, one level below. */
const NESTED = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const

function idsOf(value: JsonRecord): unknown[] {
  const own = ID_MEMBERS.map((member) => value[member])
  const nested = NESTED.flatMap((member) => {
    const { id, name } = asRecord(value[member])
    return [id ?? name]
  })
  return [...own, ...nested].filter((id) => id !== undefined && id !== null)
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
