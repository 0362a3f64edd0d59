/** What a run tells about itself. Counts, names and numbers only: never message text. */
import type { Plan } from './edit.ts'
import type { StageName } from './options.ts'
import type { DecideFailure, DecideLink } from './ports.ts'
import type { PinReason } from './protection.ts'
import type { Warning } from './transcript.ts'

export type StageStatus =
  /** Changed the conversation. */
  | 'applied'
  /** Ran and found nothing to change. */
  | 'no-change'
  /** Not run: the conversation was at its target already. */
  | 'not-needed'
  /** Switched off by an option. */
  | 'disabled'
  /** Wanted, but without what it needs (no decide model, no summariser, no current request). */
  | 'skipped'
  /** Its result was not smaller, or did not fit where it had to: discarded. */
  | 'rejected'
  /** It broke or its model failed; the next stage ran. */
  | 'failed'

export interface StageReport {
  readonly stage: StageName
  readonly status: StageStatus
  readonly reason?: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly dropped: number
  readonly rewritten: number
}

export type ActionReason =
  /** A confident no: the message is gone, or its tool results are. */
  | 'not-needed'
  /** Reports a tool exchange that was dropped as not needed, and was judged with it. */
  | 'evidence-dropped'
  /** Not needed, but cleared and not dropped: a text that may rest on it stays. */
  | 'claim-kept'
  | 'old-tool-output'
  | 'old-media'
  | 'repeated-read'
  | 'identical-result'
  | 'snipped'
  | 'summarized'
  | 'oldest'
  | 'least-needed'
  | 'too-large'
  | 'linked'
  | 'marker'
  | 'superseded-marker'
  | 'summary'

export interface Action {
  /** Index of the message in the posted conversation; for an insertion, the one it stands before. */
  readonly index: number
  readonly id?: string
  readonly stage?: StageName
  readonly action: 'dropped' | 'rewritten' | 'inserted' | 'kept'
  readonly reason: ActionReason | PinReason | 'not-judged' | 'within-target'
  /** P(needed), where a model has judged the message. */
  readonly probability?: number
  /** |2p - 1| of that probability. */
  readonly confidence?: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface RelevanceReport {
  /** Messages or tool exchanges that a question was sent about. */
  readonly asked: number
  readonly answered: number
  /** Units flagged by a confident no, before the caps. */
  readonly flagged: number
  /** Units that went. */
  readonly dropped: number
  /** Eligible, but beyond what the model takes: kept. */
  readonly notAsked: number
  readonly capHit: boolean
  readonly order: 'oldest-first' | 'least-needed-first'
  /** Sum of P(needed) over what went. */
  readonly expectedNeededLost: number
  readonly model: string
  readonly wire: string
  readonly latencyMs: number
  readonly requests: number
  /** Messages whose probability is the mean of several votes. */
  readonly voted?: number
  /** Models of a fallback chain that were asked, in that order, and what came of each. */
  readonly links?: readonly DecideLink[]
  /** The model has no opinion: the request names nothing that the conversation knows. Nothing failed. */
  readonly abstained?: true
  /** Set when the model could not be had, wholly or in part. */
  readonly failOpen?: DecideFailure | 'unanswered'
}

export interface Verdict {
  readonly probability: number
  readonly confidence: number
}

export interface SummaryReport {
  readonly accepted: boolean
  /** Why a summary was refused, or could not be had. */
  readonly reason?: string
  readonly covers: number
  readonly rounds: number
  readonly tokens: number
  readonly model: string
  readonly latencyMs: number
  readonly gate?: GateReport
}

export interface GateReport {
  readonly accepted: boolean
  readonly preserves?: Verdict
  readonly isRefusal?: Verdict
  /** Why the gate could not judge, and accepted. */
  readonly failOpen?: DecideFailure | 'unanswered' | 'no-decide-model'
}

/** Tokens of the conversation that nothing may remove, by what holds them. */
export interface Floor {
  readonly tokens: number
  readonly instructions: number
  readonly tools: number
  readonly framing: number
  readonly pins: Readonly<Partial<Record<PinReason, number>>>
  readonly protectedTail: number
  /** The counting marker for what would be dropped, or that itself where it is smaller. */
  readonly marker: number
}

/** Bytes of the conversation as JSON, where the request limits them. */
export interface ByteReport {
  readonly max: number
  readonly before: number
  /** At most so many. */
  readonly after: number
  /** What nothing may remove: a limit below it cannot be met. */
  readonly floor: number
}

export interface DropCount {
  readonly stage: StageName
  readonly reason: ActionReason
  readonly count: number
}

export type Outcome =
  /** The conversation came back as it was. */
  | 'unchanged'
  /** Changed, and within its target. */
  | 'compacted'
  /** Changed, but still over its target. */
  | 'partial'

export interface CompactionReport {
  readonly outcome: Outcome
  readonly fits: boolean
  readonly stagesUsed: readonly StageName[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly target: number
  /** Undefined where bytes are not limited. */
  readonly bytes: ByteReport | undefined
  readonly floor: Floor
  readonly stages: readonly StageReport[]
  readonly relevance?: RelevanceReport
  readonly summary?: SummaryReport
  readonly actions: readonly Action[]
  readonly warnings: readonly Warning[]
  /** Messages gone, by what took them; whatever `actions` lists. */
  readonly drops: readonly DropCount[]
  /** P(needed) of every question that was answered. */
  readonly probabilities: readonly number[]
  readonly plan: Plan
}
