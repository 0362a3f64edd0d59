import { conversationListOf } from './conversation-list.ts'
import { type Item, readItems } from './openai-responses-items.ts'
import type { Fault, WirePayload } from './types.ts'

/**
 * What a change of an OpenAI Responses conversation must not do. Pointers go into `before`.
 *
 * - `reasoning-parted`: "Item 'fc_...' of type 'function_call' was provided without its required
 *   'reasoning' item", and the other way round: a run of reasoning and the item behind it go together
 *   or stay together, and the run stays whole.
 * - `compaction-lost`: guide "Compaction": the item carries what came before it, and goes on as it is.
 * - `sealed-changed`: an item that only the provider can write (reasoning with its encrypted content,
 *   a compaction, a generated image, a program with its fingerprint) is still there, altered, or
 *   there is one that was not there before.
 */
export function findOpenaiResponsesChanges(before: WirePayload, after: WirePayload): Fault[] {
  const old = readItems(conversationListOf(before))
  const now = readItems(conversationListOf(after))
  return [...findParted(old, now), ...findLost(old, now), ...findUnsealed(old, now)]
}

/** A run of reasoning, and the item that directly follows it. */
interface Thought {
  readonly run: readonly Item[]
  readonly next: Item | undefined
}

function thoughtsOf(items: readonly Item[]): Thought[] {
  const thoughts: Thought[] = []
  let run: Item[] = []
  for (const item of items) {
    if (item.kind === 'reasoning') {
      run.push(item)
      continue
    }
    thoughts.push({ run, next: item })
    run = []
  }
  return run.length > 0 ? [...thoughts, { run, next: undefined }] : thoughts
}

function findParted(old: readonly Item[], now: readonly Item[]): Fault[] {
  const kept = thoughtsOf(now)
  const homes = new Map(kept.flatMap((thought) => thought.run.map((item) => [seal(item), thought])))
  const bare = countBare(kept)
  const bareBefore = countBare(thoughtsOf(old))
  return thoughtsOf(old).flatMap(({ run, next }) => {
    const [first] = run
    if (first === undefined || next === undefined) return []
    const home = homes.get(seal(first))
    const isWhole = home !== undefined && sameSeals(run, home.run) && isSame(next, home.next)
    const isGone = run.every((item) => !homes.has(seal(item)))
    const key = keyOf(next)
    const isBare = (bare.get(key) ?? 0) > (bareBefore.get(key) ?? 0)
    return isWhole || (isGone && !isBare) ? [] : [fault('reasoning-parted', first)]
  })
}

function countBare(thoughts: readonly Thought[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { run, next } of thoughts) {
    if (run.length > 0 || next === undefined) continue
    counts.set(keyOf(next), (counts.get(keyOf(next)) ?? 0) + 1)
  }
  return counts
}

/** What may be rewritten is known again by its ids; where it has none, by what kind of item it is. */
function isSame(before: Item, after: Item | undefined): boolean {
  if (after === undefined || before.kind !== after.kind) return false
  const isNamed = before.callIds.length > 0 || typeof before.value.id === 'string'
  return isNamed ? keyOf(before) === keyOf(after) : before.value.role === after.value.role
}

function keyOf({ kind, callIds, value }: Item): string {
  if (callIds.length > 0) return JSON.stringify([kind, callIds])
  return typeof value.id === 'string' ? JSON.stringify([kind, value.id]) : JSON.stringify(value)
}

function findLost(old: readonly Item[], now: readonly Item[]): Fault[] {
  const isCompaction = ({ kind }: Item) => kind === 'compaction'
  const kept = now.filter(isCompaction).map(seal)
  return old.filter(isCompaction).flatMap((item) => {
    const place = kept.indexOf(seal(item))
    if (place < 0) return [fault('compaction-lost', item)]
    kept.splice(place, 1)
    return []
  })
}

/** Types of items that are as the provider made them, whole. */
const SEALED: ReadonlySet<unknown> = new Set([
  'reasoning',
  'compaction',
  'image_generation_call',
  'program',
])

function findUnsealed(old: readonly Item[], now: readonly Item[]): Fault[] {
  const isSealed = ({ value }: Item) => SEALED.has(value.type)
  const sealed = old.filter(isSealed)
  const known = new Set(sealed.map(seal))
  const strangers = now.filter((item) => isSealed(item) && !known.has(seal(item)))
  return strangers.map((stranger) => {
    const origin = sealed.find(({ value }) => value.id === stranger.value.id)
    return fault('sealed-changed', origin ?? stranger)
  })
}

function sameSeals(before: readonly Item[], after: readonly Item[]): boolean {
  return (
    before.length === after.length && before.every((item, at) => sealAt(after, at) === seal(item))
  )
}

function sealAt(items: readonly Item[], at: number): string | undefined {
  const item = items[at]
  return item === undefined ? undefined : seal(item)
}

function seal({ value }: Item): string {
  return JSON.stringify(value)
}

function fault(rule: string, { index }: Item): Fault {
  return { rule, pointer: `/input/${index}` }
}
