import { GATEWAY_OUTCOMES, type GatewayContract } from '../contract/gateways/names.ts'
import { ERRORS, type ErrorCode } from '../engine/errors.ts'
import { STAGE_NAMES } from '../engine/options.ts'
import type { ActionReason } from '../engine/report.ts'
import {
  OVERFLOW_RESULTS,
  PROXY_OUTCOMES,
  PROXY_REASONS,
  RELAY_RESULTS,
  UPSTREAM_RESULTS,
} from '../proxy/names.ts'
import {
  FAIL_OPEN_REASON_LABELS,
  FAIL_OPEN_SITE_LABELS,
  FORMAT_LABELS,
  OUTCOME_LABELS,
  STAGE_STATUS_LABELS,
  type StageLabel,
  SUMMARY_VERDICT_LABELS,
  type UpstreamLabel,
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
  for (const code of Object.keys(ERRORS)) metrics.httpProblems.inc({ code: code as ErrorCode }, 0)
}

/** The same for an upstream that is configured. */
export function showProxyZeros(metrics: Metrics, upstream: UpstreamLabel): void {
  for (const outcome of PROXY_OUTCOMES) metrics.proxyRequests.inc({ upstream, outcome }, 0)
  for (const reason of PROXY_REASONS) metrics.proxyReasons.inc({ upstream, reason }, 0)
  for (const result of UPSTREAM_RESULTS) metrics.proxyUpstream.inc({ upstream, result }, 0)
  for (const result of RELAY_RESULTS) metrics.proxyRelays.inc({ upstream, result }, 0)
  for (const result of OVERFLOW_RESULTS) metrics.proxyOverflows.inc({ upstream, result }, 0)
}

/** The same for a contract that is switched on. */
export function showGatewayZeros(metrics: Metrics, contract: GatewayContract): void {
  for (const outcome of GATEWAY_OUTCOMES) metrics.gatewayRequests.inc({ contract, outcome }, 0)
}
