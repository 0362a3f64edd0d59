import type { DecisionState } from '../../engine/ports.ts'
import { clausesOf } from './clauses.ts'
import type { DigestCache } from './digest-cache.ts'
import { type Matches, matchDocuments, type ReadRequest } from './features.ts'
import {
  CLEARLY_NAMED,
  errandProbabilities,
  isMute,
  probabilities,
  workProbabilities,
} from './probability.ts'
import { type Query, readQuery } from './query.ts'
import { readState } from './read-state.ts'
import { isSession, matchErrand, matchWork } from './session-features.ts'

/**
 * P(needed) by judged document. None at all where the request names nothing that the conversation knows
 * ("do it again", an emoji): there the model has no opinion of any. In an agent's work that goes on the
 * request lies far back, and what was done since says what is needed. Undefined when the signal was aborted.
 */
export async function judgeDocuments(
  state: DecisionState,
  cache: DigestCache,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const asked = state.fields.current_request ?? ''
  const query = readQuery(asked)
  if (query.size === 0 || state.documents.length === 0) return []
  const read = await readState(state, query, cache, signal)
  if (read === undefined) return undefined
  const { entries, judged, isUnderWay } = read
  const hasTools = isSession(entries, judged)
  if (hasTools && isUnderWay) return workProbabilities(matchWork(entries, judged), entries)
  const match = (request: ReadRequest): Matches =>
    (hasTools ? matchErrand : matchDocuments)(entries, judged, request)
  const weigh = hasTools ? errandProbabilities : probabilities
  const whole = match({ query, vector: cache.digestOf({ text: asked }).vector })
  if (isMute(whole)) return []
  const clauses = readClauses(asked, query, cache)
    .map(match)
    .filter(({ named }) => named >= CLEARLY_NAMED)
  return highest([whole, ...clauses].map((matches) => weigh(matches, entries)))
}

export function readClauses(asked: string, query: Query, cache: DigestCache): ReadRequest[] {
  return clausesOf(asked).map((clause) => {
    const terms = new Set([...readQuery(clause).keys()].flatMap((term) => query.get(term) ?? []))
    return { query, terms, vector: cache.digestOf({ text: clause }).vector }
  })
}

/** What one thing that is asked for needs is needed, whatever the others need. */
export function highest(judgements: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = judgements
  if (others.length === 0) return first
  return first.map((one, index) => Math.max(one, ...others.map((other) => other[index] ?? 0)))
}
