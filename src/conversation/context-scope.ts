/** The scope question for one request: how much of the earlier conversation it needs. */
import { type Budget, type ScopeReading, scopeToThreshold } from '../engine/budget.ts'
import type { DecideFailure, DecideResult, Ports } from '../engine/ports.ts'
import { ask } from '../engine/questions/ask.ts'
import { readScope, SCOPE_QUESTION, scopeState } from '../engine/questions/context-scope.ts'

export interface ScopeReport {
  readonly scope: ScopeReading['scope'] | null
  readonly confidence: number | null
  /** Threshold that the scope maps to. */
  readonly threshold: number | null
  /** Whether the budget rests on it. */
  readonly used: boolean
  readonly model: string
  readonly wire: string
  readonly latencyMs: number
  readonly failOpen?: DecideFailure | 'unanswered'
}

export interface AskedScope {
  readonly reading: ScopeReading | undefined
  readonly result: DecideResult
}

/** Undefined where no decide model answers this question. */
export async function askScope(
  currentRequest: string,
  ports: Pick<Ports, 'decide' | 'modelSignal' | 'modelDeadlineAt'>,
): Promise<AskedScope | undefined> {
  const { decide } = ports
  if (decide?.traits.sites.has('context-scope') !== true) return undefined
  const result = await ask(
    decide,
    { site: 'context-scope', questions: [SCOPE_QUESTION], state: scopeState(currentRequest) },
    ports,
  )
  return { reading: readScope(result.answers), result }
}

export function scopeReport(asked: AskedScope, budget: Budget): ScopeReport {
  const { reading, result } = asked
  return {
    scope: reading?.scope ?? null,
    confidence: reading?.confidence ?? null,
    threshold: reading === undefined ? null : scopeToThreshold(reading.scope),
    used: budget.compactionThreshold.source === 'scope',
    model: result.model,
    wire: result.wire,
    latencyMs: result.latencyMs,
    ...(reading === undefined && { failOpen: result.failure ?? 'unanswered' }),
  }
}
