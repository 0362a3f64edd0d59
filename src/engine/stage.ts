import type { Edit } from './edit.ts'
import type { Groups } from './groups.ts'
import type { MarkerStyle } from './marker.ts'
import type { CompactionOptions } from './options.ts'
import type { Ports } from './ports.ts'
import type { Protection } from './protection.ts'
import type { RelevanceReport, SummaryReport } from './report.ts'
import type { ReadonlyState } from './state.ts'
import type { Transcript, Warning } from './transcript.ts'

export interface StageInput {
  readonly transcript: Transcript
  readonly state: ReadonlyState
  readonly groups: Groups
  readonly protection: Protection
  readonly options: CompactionOptions
  /** Most tokens that the whole posted conversation may have. */
  readonly target: number
  /** Most bytes of the conversation as JSON; infinite where they are not limited. */
  readonly maxBytes: number
  /** Text of the current request; undefined where there is none or deciding is switched off. */
  readonly currentRequest: string | undefined
  /** P(needed) of the entries that an earlier stage has judged. */
  readonly needed: ReadonlyMap<number, number>
  /** Whether those probabilities rank better than age does. */
  readonly rankByNeed: boolean
  /** Most tokens that the counting marker can take, were every message dropped. */
  readonly markerTokens: number
  /** Tokens that truncation cannot go below. */
  readonly floorTokens: number
}

/**
 * What a stage would like to change. Pairs, pins, stopping, re-counting and rejecting inflation are
 * the runner's; a stage may propose anything.
 */
export interface StageOutput {
  readonly edits: readonly Edit[]
  /** Ask for the counting marker where the first of these drops stood. */
  readonly marker?: MarkerStyle
  /** The proposal counts only if it meets the target by itself. */
  readonly onlyIfItFits?: boolean
  /** Why the stage could not do its work, although it was wanted. */
  readonly skipped?: string
  readonly relevance?: RelevanceReport
  readonly summary?: SummaryReport
  readonly needed?: ReadonlyMap<number, number>
  readonly rankByNeed?: boolean
  /** P(needed) of every question that was answered, one for a unit of several entries. */
  readonly probabilities?: readonly number[]
  readonly warnings?: readonly Warning[]
}

export type Stage = (input: StageInput, ports: Ports) => StageOutput | Promise<StageOutput>
