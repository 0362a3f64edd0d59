/**
 * Sessions of an agent with tools, where there is more to go by than what is asked: who said it, what a tool was
 * called for, what was done last.
 */
import { scoreDocument } from './bm25.ts'
import { cosine } from './cosine.ts'
import {
  compareDocuments,
  type Matches,
  type ReadDocument,
  type ReadRequest,
  requestFeatures,
} from './features.ts'
import { moments, standardised } from './numbers.ts'
import type { ToolCall } from './tool-call.ts'

const MOST_SHARE = 1.5

/** For a request that was just made. */
export const ERRAND_FEATURES = [
  'constant',
  'logTotal',
  'logNamed',
  'logTerms',
  'recentMatch',
  'recentLikeness',
  'topLikeness',
  'topMatch',
  'standardSurroundings',
  'unlike',
  'share',
  'passageLikeness',
  'passageMatch',
  'isExchange',
  'saidByUser',
  'hasFailed',
  'isRepeated',
  'newness',
] as const

/** For work that goes on, long after the request: what was done last is what is asked. */
export const WORK_FEATURES = [
  'constant',
  'logTotal',
  'isExchange',
  'saidByUser',
  'isRepeated',
  'newness',
] as const

export type ErrandFeature = (typeof ERRAND_FEATURES)[number]
export type WorkFeature = (typeof WORK_FEATURES)[number]

export interface ReadEntry extends ReadDocument {
  readonly role: 'user' | 'assistant' | 'tool' | 'instructions'
  /** Parts of a long text. Undefined where it is one by itself. */
  readonly passages?: readonly ReadDocument[]
  readonly call?: ToolCall
  /** Whether it says that something went wrong; read only where the request asks for that. */
  readonly hasFailed?: boolean
}

/** Whether there are tool exchanges among the judged. */
export function isSession(entries: readonly ReadEntry[], judged: number): boolean {
  for (let index = 0; index < judged; index += 1) if (entries[index]?.role === 'tool') return true
  return false
}

/** Rows in the order of `ERRAND_FEATURES`. `entries` and `judged` as for `matchDocuments`. */
export function matchErrand(
  entries: readonly ReadEntry[],
  judged: number,
  request: ReadRequest,
): Matches {
  const comparison = compareDocuments(entries, judged, request)
  const { shares, surroundings, likeness, logNamed, named } = comparison
  const { constant, logTotal, logTerms, recentMatch, recentLikeness, topLikeness, topMatch } =
    requestFeatures(comparison, entries.length)
  const passages = Float64Array.from(entries, ({ passages = [] }, index) =>
    passages.reduce(
      (best, passage) => Math.max(best, cosine(passage.vector, request.vector)),
      likeness[index] ?? 0,
    ),
  )
  const matchOf = passageMatcher(entries, comparison.namingWeights)
  const ofLikeness = moments(likeness.subarray(0, judged))
  const ofSurroundings = moments(surroundings.subarray(0, judged))
  const ofPassages = moments(passages.subarray(0, judged))
  const places = placesOf(entries)
  const rows = entries.slice(0, judged).map((entry, index) => {
    const standardSurroundings = standardised(surroundings[index] ?? 0, ofSurroundings)
    const standardLikeness = standardised(likeness[index] ?? 0, ofLikeness)
    const isExchange = entry.role === 'tool' ? 1 : 0
    return Float64Array.of(
      constant,
      logTotal,
      logNamed,
      logTerms,
      recentMatch,
      recentLikeness,
      topLikeness,
      topMatch,
      standardSurroundings,
      Math.min(0, (standardLikeness + standardSurroundings) / 2),
      (shares[index] ?? 0) * logNamed,
      standardised(passages[index] ?? 0, ofPassages),
      matchOf(entry) * logNamed,
      isExchange,
      entry.role === 'user' ? 1 : 0,
      entry.hasFailed === true ? isExchange : 0,
      places.repeated[index] ?? 0,
      isExchange * (places.newness[index] ?? 0),
    )
  })
  return { rows, named }
}

/** Rows in the order of `WORK_FEATURES`. */
export function matchWork(entries: readonly ReadEntry[], judged: number): readonly Float64Array[] {
  const places = placesOf(entries)
  const logTotal = Math.log(Math.max(1, entries.length))
  return entries.slice(0, judged).map(({ role }, index) => {
    const isExchange = role === 'tool' ? 1 : 0
    return Float64Array.of(
      1,
      logTotal,
      isExchange,
      role === 'user' ? 1 : 0,
      places.repeated[index] ?? 0,
      isExchange * (places.newness[index] ?? 0),
    )
  })
}

/** BM25 of the best passage, as a share of what one that has each naming term would be worth. */
function passageMatcher(
  entries: readonly ReadEntry[],
  weights: Float64Array,
): (entry: ReadEntry) => number {
  const passagesOf = (entry: ReadEntry): readonly ReadDocument[] => entry.passages ?? [entry]
  let length = 0
  let count = 0
  for (const entry of entries) {
    for (const passage of passagesOf(entry)) {
      length += passage.counted.length
      count += 1
    }
  }
  const average = Math.max(1, length / Math.max(1, count))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  if (whole === 0) return () => 0
  return (entry) => {
    let best = 0
    for (const { counted } of passagesOf(entry)) {
      best = Math.max(best, scoreDocument(counted, weights, average))
    }
    return Math.min(MOST_SHARE, best / whole)
  }
}

/**
 * By entry: minus the logarithm of how many stand behind it, and 1 where the same call comes again, so that
 * the later one says what holds now.
 */
function placesOf(entries: readonly ReadEntry[]) {
  const newness = new Float64Array(entries.length)
  const repeated = new Float64Array(entries.length)
  const later = new Set<string>()
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    newness[index] = -Math.log1p(entries.length - 1 - index)
    const key = entries[index]?.call?.key
    if (key === undefined) continue
    if (later.has(key)) repeated[index] = 1
    later.add(key)
  }
  return { newness, repeated }
}
