import fc from 'fast-check'
import {
  type OptionOverrides,
  PRESETS,
  STAGE_NAMES,
  type StageName,
} from '../../../src/engine/options.ts'
import {
  anyOptions,
  type ConversationPayload,
  type ConversationSize,
  conversationOf,
  type OptionsSketch,
} from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { type DecideSketch, decideSketch } from './scripted-decide.ts'
import { type SummarizeSketch, summarizeSketch } from './scripted-summarize.ts'
import { earlierRun, withTraces } from './traces.ts'

/**
 * Where the target lies: a share of the whole conversation, or between the floor (0) and the whole
 * conversation (1), where an off-by-one would be.
 */
export type TargetSketch =
  | { readonly from: 'nothing'; readonly ratio: number }
  | { readonly from: 'floor'; readonly ratio: number; readonly nudge: number }

/** A whole run as data: what is posted, how, and what the models will say. */
export interface CompactionCase {
  readonly format: WireFormat
  readonly payload: ConversationPayload
  readonly profile: OptionsSketch['profile']
  readonly options: OptionOverrides
  readonly target: TargetSketch
  /** Numbers of messages that the caller pins, modulo their count. */
  readonly pins: readonly number[]
  /** undefined: the last user message; null: not known. */
  readonly currentRequest: string | null | undefined
  readonly decide: DecideSketch
  readonly summarize: SummarizeSketch
}

/** Even in value. `fc.double` is even in its bits, so that nearly all of what it gives is next to 0. */
const evenShare = (least: number, most: number) =>
  fc.integer({ min: least * 1_000, max: most * 1_000 }).map((thousandths) => thousandths / 1_000)

const targetSketch: fc.Arbitrary<TargetSketch> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      from: fc.constant('nothing' as const),
      ratio: evenShare(0.02, 1.2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      from: fc.constant('floor' as const),
      ratio: fc.constantFrom(0, 0, 1),
      nudge: fc.constantFrom(-1, 0, 1),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      from: fc.constant('floor' as const),
      ratio: evenShare(0, 1),
      nudge: fc.constant(0),
    }),
  },
)

/** What `anyOptions` leaves to the profile, or draws unevenly. */
const fineOptions = fc.record(
  {
    maxDropRatio: evenShare(0, 1),
    minDropConfidence: evenShare(0, 1),
    riskBudget: fc.oneof(fc.constant(null), evenShare(0, 3)),
    stopAtTarget: fc.boolean(),
    keepResults: fc.constantFrom(0, 1, 5),
    protectedTools: fc.constantFrom<string[][]>([], ['read_file'], ['run_command', 'skill']),
    keepRecent: fc.integer({ min: 0, max: 12 }),
    keepRecentRatio: fc.constantFrom(0, 0.1, 0.5, 1),
    minRejectConfidence: fc.constantFrom(0, 0.9, 1),
  },
  { requiredKeys: [] },
)

type FineOptions = typeof fineOptions extends fc.Arbitrary<infer Value> ? Value : never

/** Which stages run: any of them, those of the profile, or one more often than not alone. */
const stageSwitches = fc.oneof(
  { weight: 3, arbitrary: fc.constant('any' as const) },
  { weight: 3, arbitrary: fc.constant('profile' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...STAGE_NAMES, 'summarize' as const) },
)

type StageSwitches = typeof stageSwitches extends fc.Arbitrary<infer Value> ? Value : never

/** A stage that is named runs with truncation behind it and nothing before it. */
function enabledBy(
  switches: StageSwitches,
  { stages = {} }: OptionsSketch['options'],
): Partial<Record<StageName, boolean>> {
  if (switches === 'any') return stages
  if (switches === 'profile') return {}
  const isOn = (stage: StageName) => stage === switches || stage === 'truncate'
  return Object.fromEntries(STAGE_NAMES.map((stage) => [stage, isOn(stage)]))
}

function toOverrides(
  sketch: OptionsSketch['options'],
  fine: FineOptions,
  switches: StageSwitches,
): OptionOverrides {
  const stages = enabledBy(switches, sketch)
  return withoutUndefined({
    protectRecent: sketch.protectRecent,
    relevance: withoutUndefined({
      enabled: stages.relevance,
      minDropConfidence: fine.minDropConfidence ?? sketch.minDropConfidence,
      maxDropRatio: fine.maxDropRatio ?? sketch.maxDropRatio,
      order: sketch.order,
      riskBudget: fine.riskBudget === undefined ? sketch.riskBudget : fine.riskBudget,
      stopAtTarget: fine.stopAtTarget,
      toolExchanges: sketch.toolExchanges,
    }),
    prune: withoutUndefined({
      enabled: stages.prune,
      protectTokens: sketch.protectTokens,
      minimumSavings: sketch.minimumSavings,
      keepResults: fine.keepResults,
      protectedTools: fine.protectedTools,
    }),
    deduplicate: withoutUndefined({ enabled: stages.deduplicate }),
    collapse: withoutUndefined({ enabled: stages.collapse, keepRecent: fine.keepRecent }),
    summarize: withoutUndefined({
      enabled: stages.summarize,
      keepRecentRatio: fine.keepRecentRatio,
      minRejectConfidence: fine.minRejectConfidence,
    }),
    truncate: withoutUndefined({ enabled: stages.truncate }),
  }) as OptionOverrides
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

const currentRequest = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('Fix the retry budget of the parser.', '', '部署') },
)

/** Any run of one format. What an earlier run leaves behind is in some of the conversations. */
export function compactionCase(
  format: WireFormat,
  size?: ConversationSize,
): fc.Arbitrary<CompactionCase> {
  return fc
    .record({
      conversation: conversationOf(format, size),
      traces: earlierRun,
      sketch: anyOptions,
      fine: fineOptions,
      switches: stageSwitches,
      target: targetSketch,
      pins: fc.oneof(
        { weight: 3, arbitrary: fc.constant<number[]>([]) },
        { weight: 1, arbitrary: fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 3 }) },
      ),
      currentRequest,
      decide: decideSketch,
      summarize: summarizeSketch,
    })
    .map(({ conversation, traces, sketch, fine, switches, ...rest }) => ({
      format,
      payload: withTraces(format, conversation, traces),
      profile: sketch.profile,
      options: toOverrides(sketch.options, fine, switches),
      ...rest,
    }))
}

/** The same run with every stage switched on. */
export function withEveryStage(sketch: CompactionCase): CompactionCase {
  const stages = STAGE_NAMES.map((stage) => [stage, { ...sketch.options[stage], enabled: true }])
  return { ...sketch, options: { ...sketch.options, ...Object.fromEntries(stages) } }
}

/** The option in force: the caller's, else the profile's. */
export function protectRecentOf({ options, profile }: CompactionCase): number {
  return options.protectRecent ?? PRESETS[profile].protectRecent
}

/** The option in force: the caller's, else the profile's. */
export function relevanceOf({ options, profile }: CompactionCase) {
  return { ...PRESETS[profile].relevance, ...options.relevance }
}
