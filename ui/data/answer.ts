/** What the service answers, as far as the page reads it. */
import type { Recording } from '../../src/decide/replay/recording.ts'
import type { CompactionOptions, ProfileName } from '../../src/engine/options.ts'
import type { DecideTraits } from '../../src/engine/ports.ts'
import type {
  Action,
  Floor,
  Outcome,
  RelevanceReport,
  StageReport,
  SummaryReport,
} from '../../src/engine/report.ts'
import type { JsonValue, Warning } from '../../src/engine/transcript.ts'

export type { Action, Floor, JsonValue, Recording, StageReport }

export interface Answer {
  readonly outcome: Outcome
  readonly fits: boolean
  readonly format: string
  readonly tokenizer: { readonly encoding: string; readonly estimated: boolean }
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly tokensSaved: number
  readonly budget: {
    readonly targetTokens: { readonly value: number; readonly source: string }
    readonly requestedTokens: number | null
    readonly safetyFactor: number | null
    readonly floor: Floor
  }
  readonly stages: readonly (StageReport & { readonly durationMs: number })[]
  readonly relevance: RelevanceReport | null
  readonly summary: SummaryReport | null
  readonly actions: readonly Action[]
  readonly violationCount: number
  readonly warnings: readonly Warning[]
  readonly recording?: Recording
  readonly messages?: readonly JsonValue[]
  readonly input?: readonly JsonValue[] | string
  readonly contents?: readonly JsonValue[]
}

/** A problem document (RFC 9457), or one made here where the service did not answer. */
export interface Problem {
  readonly title: string
  readonly detail: string
  readonly status?: number
  readonly code?: string
  readonly instance?: string
  readonly retryAfter?: string
  readonly errors: readonly {
    readonly pointer: string
    readonly rule: string
    readonly detail: string
  }[]
}

/** What the deployment does when a request says nothing. */
export interface ServiceSettings {
  readonly version: string
  readonly keyRequired: boolean
  readonly defaultProfile: ProfileName
  readonly profiles: Readonly<Record<ProfileName, CompactionOptions>>
  readonly formats: readonly string[]
  /** null where no model decides. */
  readonly decide:
    | (Pick<DecideTraits, 'wire' | 'model' | 'order'> & { readonly riskBudget: number | null })
    | null
}
