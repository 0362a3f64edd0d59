/**
 * Remembers what earlier steps of a conversation decided. Without it every turn would ask the models
 * again about steps that are long settled; with it, and with models that answer the same twice, the
 * result is the same. In memory only, bounded, gone with the process.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Plan } from '../../engine/edit.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import type { StepReport } from './step-report.ts'

/** SHA-256 of all that a step's decision follows from, in base64. */
export type StepKey = string

export interface RememberedStep {
  readonly plan: Plan
  readonly report: StepReport
}

export interface StepMemo {
  readonly get: (key: StepKey) => RememberedStep | undefined
  readonly set: (key: StepKey, step: RememberedStep) => void
}

/** After so long without a turn providers have let go of the prefix too; Anthropic's longest is an hour. */
const TIME_TO_LIVE_MS = 60 * 60 * 1_000

/** A key, the numbers of a report, and what a map takes for them. */
const ENTRY_BYTES = 1_024

/** Bytes of a number in a set or a list, and of an action that explains one. */
const NUMBER_BYTES = 64

/** `maxBytes`: most that it holds; 0 remembers nothing. */
export function createStepMemo(maxBytes: number): StepMemo {
  if (maxBytes === 0) return { get: () => undefined, set: () => {} }
  const cache = new LRUCache<StepKey, RememberedStep>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    ttl: TIME_TO_LIVE_MS,
    updateAgeOnGet: true,
  })
  return {
    get: (key) => cache.get(key),
    set: (key, step) => {
      cache.set(key, step)
    },
  }
}

/** The key of the first step: whatever is the same for the whole conversation. */
export function firstKey(settings: JsonValue): StepKey {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64')
}

/**
 * The key that follows on another once some more is known. Marks that a client moves along from turn
 * to turn are left out: they change nothing about a message.
 */
export function nextKey(key: StepKey, values: readonly JsonValue[]): StepKey {
  const hash = createHash('sha256').update(key)
  for (const value of values) hash.update(withoutMarks(value)).update('\n')
  return hash.digest('base64')
}

/** A plan as one value: what comes after a step depends on what that left. */
export function planValue({ dropped, replaced, insertions }: Plan): JsonValue {
  return [
    [...dropped],
    [...replaced].map(([entry, parts]) => [entry, [...parts]]),
    insertions.map(({ before, role, text }) => [before, role, text]),
  ]
}

const MARK = 'cache_control'

function withoutMarks(value: JsonValue): string {
  const text = JSON.stringify(value)
  if (!text.includes(MARK)) return text
  return JSON.stringify(value, (name, member) => (name === MARK ? undefined : member))
}

function sizeOf({ plan, report }: RememberedStep): number {
  let characters = 0
  for (const parts of plan.replaced.values()) {
    for (const text of parts.values()) characters += text.length
  }
  for (const { text } of plan.insertions) characters += text.length
  const numbers = plan.dropped.size + plan.replaced.size + report.actions.length
  return ENTRY_BYTES + numbers * NUMBER_BYTES + characters * 2
}
