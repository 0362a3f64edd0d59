/**
 * The budget arithmetic. Every number carries where it came from, so that an answer can be checked
 * by hand against the caller's own configuration.
 */
import { type Fault, PrecisError } from './errors.ts'

/** Compaction triggers at this share of the available input unless something lowers it. */
export const DEFAULT_COMPACTION_THRESHOLD = 0.8
/** Counts of a provider's own framing are estimates; the history aims slightly under the ceiling. */
export const HISTORY_SAFETY_FACTOR = 0.95
/** An output reserve that nobody set: this share of the window, and never more than the cap. */
export const OUTPUT_RESERVE_RATIO = 0.35
export const OUTPUT_RESERVE_CAP_TOKENS = 64_000
/** A scope reading below this confidence is as good as none. */
export const MIN_SCOPE_CONFIDENCE = 0.5

/** Levels of the scope rubric, low to high, with the threshold that each one needs. */
export const CONTEXT_SCOPES = [
  { scope: 'current-message', threshold: 0.45 },
  { scope: 'recent-turns', threshold: 0.6 },
  { scope: 'full-conversation', threshold: 0.75 },
  { scope: 'everything', threshold: 0.8 },
] as const

export type ContextScope = (typeof CONTEXT_SCOPES)[number]['scope']

export type NumberSource =
  | 'request'
  | 'configuration'
  | 'table'
  | 'default'
  | 'scope'
  | 'counted'
  | 'computed'
  | 'estimated'

export interface Sourced {
  readonly value: number
  readonly source: NumberSource
}

/** The level nearest to the probability-weighted index; a tie goes to the larger budget. */
export function scoreToScope(score: number): ContextScope {
  const last = CONTEXT_SCOPES.length - 1
  // A score that is no number must not shrink the budget.
  const level = Number.isNaN(score) ? last : Math.min(last, Math.max(0, Math.round(score)))
  return CONTEXT_SCOPES[level]?.scope ?? 'everything'
}

/** First guard of the one-directional rule: a scope never maps above the default. */
export function scopeToThreshold(scope: ContextScope): number {
  const level = CONTEXT_SCOPES.find((candidate) => candidate.scope === scope)
  return Math.min(DEFAULT_COMPACTION_THRESHOLD, level?.threshold ?? DEFAULT_COMPACTION_THRESHOLD)
}

export interface ScopeReading {
  readonly scope: ContextScope
  readonly confidence: number
}

/**
 * Second guard: whatever asks for a threshold, the one in force is at most the default. A caller's
 * own value keeps the scope from being used, also where it is too high to be used itself; an unsure
 * scope counts as not asked.
 */
export function resolveThreshold(
  requested: number | undefined,
  reading: ScopeReading | undefined,
): Sourced {
  const byDefault: Sourced = { value: DEFAULT_COMPACTION_THRESHOLD, source: 'default' }
  if (requested !== undefined) {
    return requested <= byDefault.value ? { value: requested, source: 'request' } : byDefault
  }
  if (reading === undefined || !(reading.confidence >= MIN_SCOPE_CONFIDENCE)) return byDefault
  const threshold = scopeToThreshold(reading.scope)
  return threshold < byDefault.value ? { value: threshold, source: 'scope' } : byDefault
}

export interface BudgetInput {
  readonly contextWindow: Sourced
  /**
   * Output tokens that the request reserves, or else the deployment's entry for the model. Undefined
   * where neither says so; what the built-in table knows of a model is no reserve.
   */
  readonly maxOutputTokens: Sourced | undefined
  readonly threshold: Sourced
  /** What rides beside the history, in tokens. */
  readonly instructions: number
  readonly currentRequest: number
  readonly tools: number
  /** With their own source: a caller may give them as tokens. */
  readonly files: Sourced
  readonly history: number
  /** How the plain numbers were had; counted exactly unless it says otherwise. */
  readonly counting?: 'counted' | 'estimated'
}

export interface Budget {
  readonly contextWindow: Sourced
  readonly outputReserve: Sourced
  /** contextWindow - outputReserve */
  readonly available: Sourced
  readonly overhead: {
    readonly instructions: Sourced
    readonly currentRequest: Sourced
    readonly tools: Sourced
    readonly files: Sourced
    readonly total: Sourced
  }
  readonly history: Sourced
  readonly compactionThreshold: Sourced
  readonly safetyFactor: Sourced
  /** (available - overhead) * safetyFactor * compactionThreshold / 0.8, rounded down, never below 0 */
  readonly historyBudget: Sourced
  /** Total input tokens at which compaction is due. */
  readonly trigger: Sourced
  /** Most tokens that the history may have after compaction. */
  readonly target: Sourced
  /** (overhead + history) / available */
  readonly usageRatio: number
  readonly shouldCompact: boolean
}

/** Throws PrecisError('invalid-budget') when no input space is left at all. */
export function resolveBudget(input: BudgetInput): Budget {
  const window = input.contextWindow.value
  const outputReserve = reserveFor(window, input.maxOutputTokens)
  const available = window - outputReserve.value
  if (available <= 0) {
    throw new PrecisError(
      'invalid-budget',
      `The output reserve of ${outputReserve.value} tokens leaves no input space in a window of ${window}.`,
      {
        faults: [noRoomFault(window, outputReserve)],
      },
    )
  }
  const { instructions, currentRequest, tools, files, history, counting = 'counted' } = input
  const total = instructions + currentRequest + tools + files.value
  const had = (value: number): Sourced => ({ value, source: counting })
  const threshold = input.threshold.value
  const scale = clamp(threshold / DEFAULT_COMPACTION_THRESHOLD, 0, 1)
  const historyBudget = Math.max(
    0,
    Math.floor((available - total) * (HISTORY_SAFETY_FACTOR * scale)),
  )
  const trigger = Math.floor(available * Math.min(threshold, DEFAULT_COMPACTION_THRESHOLD))
  // The trigger bounds the target: otherwise compaction would start at a size that it then accepts.
  const target = Math.max(0, Math.min(historyBudget, trigger - total))
  const usageRatio = (total + history) / available
  return {
    contextWindow: input.contextWindow,
    outputReserve,
    available: computed(available),
    overhead: {
      instructions: had(instructions),
      currentRequest: had(currentRequest),
      tools: had(tools),
      files,
      total: computed(total),
    },
    history: had(history),
    compactionThreshold: input.threshold,
    safetyFactor: { value: HISTORY_SAFETY_FACTOR, source: 'default' },
    historyBudget: computed(historyBudget),
    trigger: computed(trigger),
    target: computed(target),
    usageRatio,
    shouldCompact: history > target,
  }
}

/** Points at the number that the caller has given: without a reserve of its own, the window. */
function noRoomFault(window: number, reserve: Sourced): Fault {
  if (reserve.source === 'request') {
    return {
      pointer: '/maxOutputTokens',
      rule: 'less-than-context-window',
      detail: `must be less than the context window (${window})`,
    }
  }
  return {
    pointer: '/contextWindow',
    rule: 'more-than-output-reserve',
    detail: `must be more than the output reserve (${reserve.value})`,
  }
}

function reserveFor(window: number, maxOutputTokens: Sourced | undefined): Sourced {
  if (maxOutputTokens !== undefined) return maxOutputTokens
  return {
    value: Math.min(OUTPUT_RESERVE_CAP_TOKENS, Math.ceil(window * OUTPUT_RESERVE_RATIO)),
    source: 'default',
  }
}

function computed(value: number): Sourced {
  return { value, source: 'computed' }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
