import fc from 'fast-check'

export type StageSwitch =
  | 'relevance'
  | 'prune'
  | 'deduplicate'
  | 'collapse'
  | 'summarize'
  | 'truncate'

/** Options of a compaction as plain data; an absent member means the default of the profile. */
export interface OptionsSketch {
  readonly profile: 'neurolink' | 'agent' | 'rubyn'
  /** Target as a share of the tokens of the conversation. Above 1 nothing has to be done. */
  readonly targetRatio: number
  readonly options: {
    readonly protectRecent?: number
    /** In tokens. */
    readonly protectTokens?: number
    /** In tokens. */
    readonly minimumSavings?: number
    readonly maxDropRatio?: number
    readonly minDropConfidence?: number
    readonly toolExchanges?: 'keep' | 'clear' | 'drop'
    readonly order?: 'oldest-first' | 'least-needed-first'
    readonly riskBudget?: number
    readonly stages?: { readonly [stage in StageSwitch]?: boolean }
  }
}

/** Numbers between 0 and 1 with the ends, where off-by-one lives, much more often than chance. */
const share = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, 0.5, 1) },
  { weight: 3, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
)

const stages = fc.record(
  {
    relevance: fc.boolean(),
    prune: fc.boolean(),
    deduplicate: fc.boolean(),
    collapse: fc.boolean(),
    summarize: fc.boolean(),
    truncate: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** Any combination of valid options; one in six, on average, is left to the profile. */
export const anyOptions: fc.Arbitrary<OptionsSketch> = fc.record({
  profile: fc.constantFrom('neurolink', 'agent', 'rubyn'),
  targetRatio: fc.double({ min: 0.02, max: 1.2, noNaN: true }),
  options: fc.record(
    {
      protectRecent: fc.integer({ min: 0, max: 12 }),
      protectTokens: fc.oneof(
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 0, max: 40_000 }),
      ),
      minimumSavings: fc.constantFrom(0, 1, 50, 500, 20_000),
      maxDropRatio: share,
      minDropConfidence: share,
      toolExchanges: fc.constantFrom('keep', 'clear', 'drop'),
      order: fc.constantFrom('oldest-first', 'least-needed-first'),
      riskBudget: fc.oneof(share, fc.double({ min: 0, max: 5, noNaN: true })),
      stages,
    },
    { requiredKeys: [] },
  ),
})
