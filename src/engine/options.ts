/** Every option of a run, its default, and the presets. Bounds live in the request schema. */

export type StageName =
  | 'relevance'
  | 'prune'
  | 'deduplicate'
  | 'collapse'
  | 'summarize'
  | 'truncate'

/** The order in which stages run. */
export const STAGE_NAMES = [
  'relevance',
  'prune',
  'deduplicate',
  'collapse',
  'summarize',
  'truncate',
] as const satisfies readonly StageName[]

export type DropOrder = 'oldest-first' | 'least-needed-first'

export interface RelevanceOptions {
  readonly enabled: boolean
  /** |2p - 1| that a "no" needs before a message may go: 0.6 means P(needed) <= 0.2. */
  readonly minDropConfidence: number
  /** Share of the asked messages that may go in one pass. */
  readonly maxDropRatio: number
  /** Most questions of one pass to a remote model. */
  readonly maxQuestions: number
  /** Which candidates go when a cap binds. Undefined: the decide model's own default. */
  readonly order: DropOrder | undefined
  /** Expected number of needed messages that may be lost. Undefined: the model's default; null: off. */
  readonly riskBudget: number | null | undefined
  /** Drop no more than the target needs. */
  readonly stopAtTarget: boolean
  /** What happens to a completed tool exchange that is not needed. `keep` never asks about one. */
  readonly toolExchanges: 'keep' | 'clear' | 'drop'
  /** Times that a remote model is asked in all about what it puts near the bar; the mean decides. */
  readonly votes: number
  /**
   * Keep a question and its direct plain answer together, by the higher P(needed) of the two.
   * Undefined: for a decide model with a risk budget of its own, whose probabilities are calibrated
   * (docs/architecture.md).
   */
  readonly pairs: boolean | undefined
}

export interface PruneOptions {
  readonly enabled: boolean
  /** Tokens of newest tool output that stay whole. */
  readonly protectTokens: number
  /** Number of newest tool results that stay whole, besides. */
  readonly keepResults: number
  /** Nothing is cleared unless at least so many tokens could be. */
  readonly minimumSavings: number
  /** Tools whose results are never cleared. */
  readonly protectedTools: readonly string[]
  /** Give the place of old images, documents and audio to a note of one line. */
  readonly media: boolean
}

export interface DeduplicateOptions {
  readonly enabled: boolean
}

export interface CollapseOptions {
  readonly enabled: boolean
  /** Newest messages that stay. */
  readonly keepRecent: number
}

export interface SummarizeOptions {
  readonly enabled: boolean
  /** Share of the target that stays verbatim at the end. */
  readonly keepRecentRatio: number
  /** Confidence (|2p - 1|) with which the gate must reject before a summary is refused. */
  readonly minRejectConfidence: number
}

export interface TruncateOptions {
  readonly enabled: boolean
  /**
   * Whether whole messages may go. Without it large outputs are shortened, recent ones last, and only
   * if that meets the target: for callers who can write texts back, and take no message out.
   */
  readonly drop: boolean
}

export interface CompactionOptions {
  /** Newest messages that no stage removes. */
  readonly protectRecent: number
  readonly relevance: RelevanceOptions
  readonly prune: PruneOptions
  readonly deduplicate: DeduplicateOptions
  readonly collapse: CollapseOptions
  readonly summarize: SummarizeOptions
  readonly truncate: TruncateOptions
}

/** What a caller may set: any option by itself. */
export type OptionOverrides = {
  readonly [Key in keyof CompactionOptions]?: CompactionOptions[Key] extends number
    ? CompactionOptions[Key]
    : Partial<CompactionOptions[Key]>
}

export type ProfileName = 'neurolink' | 'agent' | 'rubyn'
export const PROFILE_NAMES = [
  'neurolink',
  'agent',
  'rubyn',
] as const satisfies readonly ProfileName[]

/**
 * NeuroLink's numbers. `minimumSavings` is what its code has had since 9.80; its documentation still
 * says 20,000, which leaves most conversations unpruned (docs/decisions).
 */
const NEUROLINK: CompactionOptions = {
  protectRecent: 6,
  relevance: {
    enabled: true,
    minDropConfidence: 0.6,
    maxDropRatio: 0.5,
    maxQuestions: 300,
    order: undefined,
    riskBudget: undefined,
    stopAtTarget: false,
    toolExchanges: 'keep',
    votes: 1,
    pairs: undefined,
  },
  prune: {
    enabled: true,
    protectTokens: 40_000,
    keepResults: 0,
    minimumSavings: 500,
    protectedTools: ['skill', 'use_skill', 'read_skill_resource'],
    media: false,
  },
  deduplicate: { enabled: true },
  collapse: { enabled: false, keepRecent: 6 },
  summarize: { enabled: true, keepRecentRatio: 0.3, minRejectConfidence: 0.6 },
  truncate: { enabled: true, drop: true },
}

/** A preset is a table of option values, nothing more. */
export const PRESETS: Readonly<Record<ProfileName, CompactionOptions>> = {
  neurolink: NEUROLINK,
  agent: merge(NEUROLINK, { relevance: { toolExchanges: 'clear' } }),
  rubyn: merge(NEUROLINK, {
    relevance: { enabled: false },
    prune: { protectTokens: 0, keepResults: 2, minimumSavings: 0 },
    deduplicate: { enabled: false },
    collapse: { enabled: true },
  }),
}

/** Later overrides win; a member that is undefined does not erase what is below it. */
export function resolveOptions(
  profile: ProfileName,
  ...overrides: readonly (OptionOverrides | undefined)[]
): CompactionOptions {
  let options = PRESETS[profile]
  for (const override of overrides) {
    if (override !== undefined) options = merge(options, override)
  }
  return options
}

function merge(base: CompactionOptions, over: OptionOverrides): CompactionOptions {
  return {
    protectRecent: over.protectRecent ?? base.protectRecent,
    relevance: { ...base.relevance, ...defined(over.relevance) },
    prune: { ...base.prune, ...defined(over.prune) },
    deduplicate: { ...base.deduplicate, ...defined(over.deduplicate) },
    collapse: { ...base.collapse, ...defined(over.collapse) },
    summarize: { ...base.summarize, ...defined(over.summarize) },
    truncate: { ...base.truncate, ...defined(over.truncate) },
  }
}

function defined<Value extends object>(value: Value | undefined): Partial<Value> {
  if (value === undefined) return {}
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<Value>
}
