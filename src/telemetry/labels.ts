import { DECIDERS, MINILM } from '../decide/wire-names.ts'
import type { StageName } from '../engine/options.ts'
import type { DecideFailure, DecisionSite, SummarizeFailure } from '../engine/ports.ts'
import type { ActionReason, Outcome, StageStatus } from '../engine/report.ts'
import { FORMAT_IDS, type FormatId } from '../formats/adapter.ts'
import { UPSTREAM_NAMES } from '../proxy/names.ts'

/**
 * Every label of every metric takes its values from one of these sets, so that no caller can make
 * series grow: never a model name, a user, a session or a path.
 */
export const FORMAT_LABELS = FORMAT_IDS
export type FormatLabel = FormatId

export type ValidLabel = 'true' | 'false'

export const OUTCOME_LABELS = [
  'unchanged',
  'compacted',
  'partial',
] as const satisfies readonly Outcome[]
export type OutcomeLabel = (typeof OUTCOME_LABELS)[number]

export type StageLabel = StageName

export const STAGE_STATUS_LABELS = [
  'applied',
  'skipped',
  'no-change',
  'rejected',
  'failed',
] as const satisfies readonly StageStatus[]
export type StageStatusLabel = (typeof STAGE_STATUS_LABELS)[number]

/** Why a message went: a bounded set of the engine's own. */
export type DropReasonLabel = ActionReason

export const QUESTION_LABELS = ['relevance', 'preserves', 'is-refusal', 'context-scope'] as const
export type QuestionLabel = (typeof QUESTION_LABELS)[number]

/** Where something failed and the run went on without it. */
export const FAIL_OPEN_SITE_LABELS = [
  'relevance',
  'summary-gate',
  'context-scope',
  'summarize',
] as const satisfies readonly (DecisionSite | 'summarize')[]
export type FailOpenSiteLabel = (typeof FAIL_OPEN_SITE_LABELS)[number]

export const FAIL_OPEN_REASON_LABELS = [
  'authentication',
  'invalid-request',
  'max-tokens-exceeded',
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'malformed-answer',
  'malformed-response',
  'breaker-open',
  'busy',
  'deadline',
  'aborted',
  'error',
  'unanswered',
] as const satisfies readonly (DecideFailure | SummarizeFailure | 'unanswered')[]
export type FailOpenReasonLabel = (typeof FAIL_OPEN_REASON_LABELS)[number]

/** Deciders by their names in configuration, and the better tier of the embedded one. */
export const WIRE_LABELS = [...DECIDERS, MINILM] as const
export type WireLabel = (typeof WIRE_LABELS)[number]

/** `answered`, `abstained` and the failures: what one decision request came to. */
export const DECIDE_RESULT_LABELS = ['answered', 'abstained', ...FAIL_OPEN_REASON_LABELS] as const
export type DecideResultLabel = (typeof DECIDE_RESULT_LABELS)[number]

export const SUMMARY_VERDICT_LABELS = [
  'accepted',
  'accepted-unchecked',
  'rejected-by-check',
  'rejected-by-gate',
  'failed',
] as const
export type SummaryVerdictLabel = (typeof SUMMARY_VERDICT_LABELS)[number]

export const UPSTREAM_LABELS = UPSTREAM_NAMES
export type UpstreamLabel = (typeof UPSTREAM_LABELS)[number]

export const METHOD_LABELS = ['GET', 'HEAD', 'POST', 'other'] as const
export type MethodLabel = (typeof METHOD_LABELS)[number]

export const STATUS_CLASS_LABELS = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
export type StatusClassLabel = (typeof STATUS_CLASS_LABELS)[number]

/** The member of the set that a value names, or the fallback: the door that keeps label sets bounded. */
export function toLabel<Label extends string, Fallback extends string | undefined>(
  labels: readonly Label[],
  value: string,
  fallback: Fallback,
): Label | Fallback {
  return (labels as readonly string[]).includes(value) ? (value as Label) : fallback
}
