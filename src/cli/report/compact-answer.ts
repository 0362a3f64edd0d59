import type { TokenizerReport } from '../../conversation/tokenizer-report.ts'
import type { Recording } from '../../decide/replay/recording.ts'
import type { Sourced } from '../../engine/budget.ts'
import type { Action, CompactionReport } from '../../engine/report.ts'

/** A reason is shown as it comes, also one that a newer service gives. */
export type ReportedAction = Omit<Action, 'reason'> & { readonly reason: string }

/** What is shown of a compaction: the members of the body of POST /compact. */
export interface CompactAnswer {
  readonly outcome: CompactionReport['outcome']
  readonly fits: boolean
  readonly format: string
  readonly tokenizer: TokenizerReport
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Present if bytes are limited too. */
  readonly bytes?: CompactionReport['bytes'] | null
  readonly budget: {
    readonly targetTokens: Sourced
    readonly requestedTokens?: number | null
    readonly safetyFactor?: number | null
    readonly floor: CompactionReport['floor']
  }
  readonly stages: readonly (CompactionReport['stages'][number] & { readonly durationMs: number })[]
  readonly relevance: CompactionReport['relevance'] | null
  readonly actions: readonly ReportedAction[]
  readonly warnings: CompactionReport['warnings']
  /** Present if it was asked for. */
  readonly recording?: Recording
}
