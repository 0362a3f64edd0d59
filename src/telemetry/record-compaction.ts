import type { CompactResult } from '../conversation/compact-conversation.ts'
import type { GateReport, SummaryReport } from '../engine/report.ts'
import {
  FAIL_OPEN_REASON_LABELS,
  FORMAT_LABELS,
  STAGE_STATUS_LABELS,
  type SummaryVerdictLabel,
  toLabel,
} from './labels.ts'
import type { Metrics } from './metrics.ts'
import type { StageTimer } from './stage-timer.ts'

/** What one compaction did, as metrics. Reads the report only; there is no text in it. */
export function recordCompaction(
  metrics: Metrics,
  result: CompactResult & { readonly replayed?: true },
  timer: StageTimer,
): void {
  const { report } = result
  // A dry run asks models and takes time; it compacts nothing, and a replay tries out.
  if (!result.dryRun && result.replayed !== true) recordEffect(metrics, result)
  for (const rule of result.brokenRules) metrics.invariantViolations.inc({ rule })
  // What models said when they were asked was counted then.
  if (result.replayed === true) return
  for (const stage of report.stages) {
    const status = toLabel(STAGE_STATUS_LABELS, stage.status, undefined)
    // A stage that was switched off or not needed did nothing that could be counted.
    if (status === undefined) continue
    metrics.stages.inc({ stage: stage.stage, status })
    metrics.stageDuration.observe({ stage: stage.stage }, timer.durationMs(stage.stage) / 1_000)
  }
  recordRelevance(metrics, result)
  if (report.summary !== undefined) recordSummary(metrics, report.summary)
}

function recordEffect(metrics: Metrics, { format: id, report }: CompactResult): void {
  const format = toLabel(FORMAT_LABELS, id, 'openai-chat')
  metrics.compactions.inc({ format, outcome: report.outcome })
  metrics.tokensBefore.inc({ format }, report.tokensBefore)
  metrics.tokensAfter.inc({ format }, report.tokensAfter)
  metrics.tokensSaved.inc({ format }, report.tokensBefore - report.tokensAfter)
  if (!report.fits) metrics.budgetUnreachable.inc({})
  for (const { stage, reason, count } of report.drops) {
    metrics.messagesDropped.inc({ stage, reason }, count)
  }
}

function recordRelevance(metrics: Metrics, result: CompactResult): void {
  const { relevance, probabilities } = result.report
  if (relevance === undefined) return
  if (relevance.capHit) metrics.dropCapHits.inc({})
  if (relevance.failOpen !== undefined) {
    metrics.failOpen.inc({ site: 'relevance', reason: relevance.failOpen })
  }
  for (const probability of probabilities) {
    metrics.confidence.observe({ question: 'relevance' }, Math.abs(probability - 0.5) * 2)
  }
}

function recordSummary(metrics: Metrics, summary: SummaryReport): void {
  // With no round there was no call: the deadline had passed, or the window was too small.
  if (summary.rounds > 0) {
    metrics.summaries.inc({ verdict: verdictOf(summary) })
    metrics.summaryLatency.observe({}, summary.latencyMs / 1_000)
  }
  if (summary.gate !== undefined) recordGate(metrics, summary.gate)
  const failure = summary.accepted
    ? undefined
    : toLabel(FAIL_OPEN_REASON_LABELS, summary.reason ?? '', undefined)
  if (failure !== undefined) metrics.failOpen.inc({ site: 'summarize', reason: failure })
}

export function recordGate(metrics: Metrics, gate: GateReport): void {
  if (gate.preserves !== undefined) {
    metrics.confidence.observe({ question: 'preserves' }, gate.preserves.confidence)
  }
  if (gate.isRefusal !== undefined) {
    metrics.confidence.observe({ question: 'is-refusal' }, gate.isRefusal.confidence)
  }
  const reason = toLabel(FAIL_OPEN_REASON_LABELS, gate.failOpen ?? '', undefined)
  if (reason !== undefined) metrics.failOpen.inc({ site: 'summary-gate', reason })
}

function verdictOf(summary: SummaryReport): SummaryVerdictLabel {
  if (summary.accepted) {
    return summary.gate?.failOpen === undefined ? 'accepted' : 'accepted-unchecked'
  }
  if (summary.reason === 'gate') return 'rejected-by-gate'
  return toLabel(FAIL_OPEN_REASON_LABELS, summary.reason ?? '', undefined) === undefined
    ? 'rejected-by-check'
    : 'failed'
}
