import type { Plan } from '../engine/edit.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { FormatAdapter, Violation } from './adapter.ts'
import { itemsOf } from './conversation-list.ts'
import { isArray, isRecord, pointer } from './json.ts'
import { runRules, type WireRule } from './wire-rule.ts'

/** A conversation before and after an edit. Pointers go into what was posted. */
export interface ConversationChange {
  readonly before: readonly JsonValue[]
  /** The item of the output that stands for an item of the input; undefined where it is gone. */
  readonly survivor: (index: number) => JsonValue | undefined
  readonly pointer: (index: number) => string
}

export type ChangeRule = WireRule<ConversationChange>

/** Texts that only the provider can read or that it signed. They go back as they came. */
const SEALED_MEMBERS: ReadonlySet<string> = new Set([
  'signature',
  'encrypted_content',
  'encrypted_index',
  'encrypted_stdout',
  'thoughtSignature',
  'thought_signature',
  'reasoningEncryptedContent',
])

/** What no edit may do, whatever the format. */
const RULES: readonly ChangeRule[] = [
  {
    id: 'message-lost',
    source: 'Precis, promise P1: what no decision names comes back as it was, in its place',
    run: ({ before, survivor, pointer: at }, report) => {
      for (const index of before.keys()) {
        if (survivor(index) === null) report(at(index), 'is not where the plan left it')
      }
    },
  },
  {
    id: 'sealed-changed',
    source:
      'All providers: signatures and encrypted texts go back as they came; enforced with a 400',
    run: ({ before, survivor, pointer: at }, report) => {
      for (const [index, item] of before.entries()) {
        const after = survivor(index)
        if (after === undefined || after === null || after === item) continue
        if (!sameSeals(item, after)) report(at(index), 'has lost or changed a sealed text')
      }
    },
  },
]

/**
 * Violations of the rules that only both sides together can break. Linear in the conversation; only
 * messages that were rewritten are looked into.
 */
export function compareChange(
  adapter: Pick<FormatAdapter, 'list' | 'changeRules'>,
  before: JsonObject,
  after: JsonObject,
  plan: Plan,
): readonly Violation[] {
  const change = alignChange(adapter.list, before, after, plan)
  return runRules([...RULES, ...adapter.changeRules], change)
}

/**
 * Finds each item of the input in the output by the plan, and by identity where the plan leaves it
 * alone: `null` says that something else stands in its place.
 */
function alignChange(
  list: FormatAdapter['list'],
  payload: JsonObject,
  edited: JsonObject,
  plan: Plan,
): ConversationChange {
  const before = itemsOf(payload, list)
  const after = itemsOf(edited, list)
  const insertions = plan.insertions.map(({ before: at }) => at).sort((a, b) => a - b)
  const found: (JsonValue | undefined)[] = []
  let next = 0
  let inserted = 0
  for (const [index, item] of before.entries()) {
    for (; (insertions[inserted] ?? Number.POSITIVE_INFINITY) <= index; inserted += 1) next += 1
    if (plan.dropped.has(index)) {
      found.push(undefined)
      continue
    }
    const candidate = after[next]
    next += 1
    const isTouched = plan.replaced.has(index) && isRecord(candidate)
    found.push(candidate === item || isTouched ? (candidate as JsonValue) : null)
  }
  return {
    before,
    survivor: (index) => found[index],
    pointer: (index) => pointer(list, index),
  }
}

function sameSeals(before: JsonValue, after: JsonValue): boolean {
  const seals = sealsOf(before, [])
  const kept = sealsOf(after, [])
  return seals.length === kept.length && seals.every((seal, index) => seal === kept[index])
}

/** In the order in which they stand. Depth is bounded by the reader, so that recursion is safe. */
function sealsOf(value: JsonValue, seals: string[]): string[] {
  if (isArray(value)) {
    for (const item of value) sealsOf(item, seals)
  } else if (isRecord(value)) {
    const isRedacted = value.type === 'redacted_thinking'
    for (const [name, member] of Object.entries(value)) {
      const isSealed = SEALED_MEMBERS.has(name) || (isRedacted && name === 'data')
      if (typeof member === 'string' && isSealed) seals.push(`${name}:${member}`)
      else sealsOf(member, seals)
    }
  }
  return seals
}
