import { STAGE_NAMES } from '../engine/options.ts'
import type { ActionReason } from '../engine/report.ts'
import {
  FAIL_OPEN_REASON_LABELS,
  FAIL_OPEN_SITE_LABELS,
  FORMAT_LABELS,
  OUTCOME_LABELS,
  STAGE_STATUS_LABELS,
  type StageLabel,
  SUMMARY_VERDICT_LABELS,
} from './labels.ts'
import type { Metrics } from './metrics.ts'

/** What may take whole messages, and why. */
const DROPS: readonly (readonly [StageLabel, ActionReason])[] = [
  ['relevance', 'not-needed'],
  ['relevance', 'evidence-dropped'],
  ['relevance', 'linked'],
  ['collapse', 'snipped'],
  ['summarize', 'summarized'],
  ['truncate', 'oldest'],
  ['truncate', 'least-needed'],
]

/**
 * Begins every bounded series at 0: a counter that is first seen at 1 has not increased for
 * Prometheus, and an alert on the first failure would stay silent.
 */
export function showZeros(metrics: Metrics): void {
  for (const format of FORMAT_LABELS) {
    for (const outcome of OUTCOME_LABELS) metrics.compactions.inc({ format, outcome }, 0)
    for (const valid of ['true', 'false'] as const) metrics.checks.inc({ format, valid }, 0)
  }
  for (const site of FAIL_OPEN_SITE_LABELS) {
    for (const reason of FAIL_OPEN_REASON_LABELS) metrics.failOpen.inc({ site, reason }, 0)
  }
  for (const stage of STAGE_NAMES) {
    for (const status of STAGE_STATUS_LABELS) metrics.stages.inc({ stage, status }, 0)
  }
  for (const verdict of SUMMARY_VERDICT_LABELS) metrics.summaries.inc({ verdict }, 0)
  for (const [stage, reason] of DROPS) metrics.messagesDropped.inc({ stage, reason }, 0)
}
