import type { ProxyOutcome, ProxyReason } from './names.ts'

/** What the caller is told of a request, in headers of the answer. */
export interface ProxyNote {
  readonly outcome: ProxyOutcome
  readonly reason?: ProxyReason
  /** Both or neither: a request that was not looked at was not counted. */
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  /** Those that changed something. */
  readonly stages?: readonly string[]
  /** Tokens that were aimed at because the upstream had refused an earlier turn of the conversation. */
  readonly learnedTarget?: number
  /** What became of the messages that the caller asked the provider to cache, where some are marked. */
  readonly cachedPrefix?: 'kept' | 'changed'
}

/** The note as headers, names and values in turn. */
export function noteHeaders(note: ProxyNote, requestId: string, isRetry: boolean): string[] {
  const {
    outcome,
    reason,
    tokensBefore,
    tokensAfter,
    stages = [],
    cachedPrefix,
    learnedTarget,
  } = note
  const headers = ['x-precis-request-id', requestId, 'x-precis-outcome', outcome]
  if (reason !== undefined) headers.push('x-precis-reason', reason)
  if (tokensBefore !== undefined) headers.push('x-precis-tokens-before', String(tokensBefore))
  if (tokensAfter !== undefined) headers.push('x-precis-tokens-after', String(tokensAfter))
  if (stages.length > 0) headers.push('x-precis-stages', stages.join(', '))
  if (cachedPrefix !== undefined) headers.push('x-precis-cached-prefix', cachedPrefix)
  if (learnedTarget !== undefined) headers.push('x-precis-learned-target', String(learnedTarget))
  if (isRetry) headers.push('x-precis-retry', 'overflow')
  return headers
}
