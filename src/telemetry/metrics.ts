import { collectDefaultMetrics, Registry } from 'prom-client'
import type { GatewayContract, GatewayOutcome } from '../contract/gateways/names.ts'
import type { ErrorCode } from '../engine/errors.ts'
import type {
  OverflowResult,
  ProxyOutcome,
  ProxyReason,
  RelayResult,
  UpstreamResult,
} from '../proxy/names.ts'
import { createInstruments } from './instruments.ts'
import type {
  DecideResultLabel,
  DropReasonLabel,
  FailOpenReasonLabel,
  FailOpenSiteLabel,
  FormatLabel,
  MethodLabel,
  OutcomeLabel,
  QuestionLabel,
  StageLabel,
  StageStatusLabel,
  StatusClassLabel,
  SummaryVerdictLabel,
  UpstreamLabel,
  ValidLabel,
  WireLabel,
} from './labels.ts'

/** State of a circuit breaker as the gauge shows it. */
export const BREAKER_STATES = { closed: 0, 'half-open': 1, open: 2 } as const

const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const STAGE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const MODEL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const REQUEST_BYTES = [1e3, 1e4, 1e5, 1e6, 4e6, 16e6, 64e6, 256e6]

export type Metrics = ReturnType<typeof createMetrics>

export interface MetricsOptions {
  /** Memory, CPU, event loop and the like as well. Default true; threads of one process share them. */
  readonly ofProcess?: boolean
}

/** Every metric of one service, on a registry of its own. */
export function createMetrics({ ofProcess = true }: MetricsOptions = {}) {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry, prefix: 'precis_' })
  const { counter, gauge, histogram, readCounter, readGauge } = createInstruments(registry)
  return {
    registry,

    compactions: counter<{ format: FormatLabel; outcome: OutcomeLabel }>(
      'precis_compactions_total',
      'Compactions by format and outcome.',
      ['format', 'outcome'],
    ),
    checks: counter<{ format: FormatLabel; valid: ValidLabel }>(
      'precis_checks_total',
      'Conversations that were only checked, by format and result.',
      ['format', 'valid'],
    ),
    tokensBefore: counter<{ format: FormatLabel }>(
      'precis_tokens_before_total',
      'Tokens of conversations as they came.',
      ['format'],
    ),
    tokensAfter: counter<{ format: FormatLabel }>(
      'precis_tokens_after_total',
      'Tokens of conversations as they went.',
      ['format'],
    ),
    tokensSaved: counter<{ format: FormatLabel }>(
      'precis_tokens_saved_total',
      'Tokens that compaction removed.',
      ['format'],
    ),
    messagesDropped: counter<{ stage: StageLabel; reason: DropReasonLabel }>(
      'precis_messages_dropped_total',
      'Messages removed, by stage and reason.',
      ['stage', 'reason'],
    ),
    stageDuration: histogram<{ stage: StageLabel }>(
      'precis_stage_duration_seconds',
      'Time that a stage took.',
      STAGE_SECONDS,
      ['stage'],
    ),
    stages: counter<{ stage: StageLabel; status: StageStatusLabel }>(
      'precis_stages_total',
      'Stages by what came of them.',
      ['stage', 'status'],
    ),
    budgetUnreachable: counter<Record<string, never>>(
      'precis_budget_unreachable_total',
      'Compactions whose result does not fit its target.',
    ),
    invariantViolations: counter<{ rule: string }>(
      'precis_invariant_violations_total',
      'Outputs withheld because they broke a wire rule that their input kept. Any is a bug.',
      ['rule'],
    ),

    confidence: histogram<{ question: QuestionLabel }>(
      'precis_confidence',
      'Confidence of answers from the decision model.',
      TENTHS,
      ['question'],
    ),
    dropCapHits: counter<Record<string, never>>(
      'precis_drop_cap_hits_total',
      'Relevance passes in which a cap spared messages that were judged not needed.',
    ),
    failOpen: counter<{ site: FailOpenSiteLabel; reason: FailOpenReasonLabel }>(
      'precis_fail_open_total',
      'Judgements and summaries that failed, and without which the run went on.',
      ['site', 'reason'],
    ),
    decideRequests: counter<{ wire: WireLabel; result: DecideResultLabel }>(
      'precis_decide_requests_total',
      'Calls to the decision model, by what they came to.',
      ['wire', 'result'],
    ),
    decideLatency: histogram<{ wire: WireLabel }>(
      'precis_decide_latency_seconds',
      'Time of calls to the decision model, retries included.',
      MODEL_SECONDS,
      ['wire'],
    ),
    decideBreakerState: gauge<{ wire: WireLabel }>(
      'precis_decide_breaker_state',
      'Circuit breaker of the decision model: 0 closed, 1 half-open, 2 open.',
      ['wire'],
      'max',
    ),
    summaries: counter<{ verdict: SummaryVerdictLabel }>(
      'precis_summaries_total',
      'Summaries by verdict.',
      ['verdict'],
    ),
    summaryLatency: histogram<Record<string, never>>(
      'precis_summary_latency_seconds',
      'Time of calls to the summariser.',
      MODEL_SECONDS,
    ),

    summaryBreakerState: gauge<Record<string, never>>(
      'precis_summary_breaker_state',
      'Circuit breaker of the summariser: 0 closed, 1 half-open, 2 open.',
      [],
      'max',
    ),

    gatewayRequests: counter<{ contract: GatewayContract; outcome: GatewayOutcome }>(
      'precis_gateway_requests_total',
      "Requests by a gateway's contract and what was done to them.",
      ['contract', 'outcome'],
    ),

    proxyRequests: counter<{ upstream: UpstreamLabel; outcome: ProxyOutcome }>(
      'precis_proxy_requests_total',
      'Proxied requests by upstream and what was done to them.',
      ['upstream', 'outcome'],
    ),
    proxyReasons: counter<{ upstream: UpstreamLabel; reason: ProxyReason }>(
      'precis_proxy_reasons_total',
      'Proxied requests that were sent as they came, or over their budget, by why.',
      ['upstream', 'reason'],
    ),
    proxyUpstream: counter<{ upstream: UpstreamLabel; result: UpstreamResult }>(
      'precis_proxy_upstream_total',
      'Requests to an upstream, by the class of the status or why there was none.',
      ['upstream', 'result'],
    ),
    proxyRelays: counter<{ upstream: UpstreamLabel; result: RelayResult }>(
      'precis_proxy_relays_total',
      'Answers passed on from an upstream, by how their bytes came through.',
      ['upstream', 'result'],
    ),
    proxyOverflows: counter<{ upstream: UpstreamLabel; result: OverflowResult }>(
      'precis_proxy_overflows_total',
      'Answers that said that the context was too long, by what compacting harder came to.',
      ['upstream', 'result'],
    ),
    proxyPreparation: histogram<{ upstream: UpstreamLabel }>(
      'precis_proxy_preparation_seconds',
      'Time from the whole body of a proxied request to its sending on.',
      STAGE_SECONDS,
      ['upstream'],
    ),
    proxyTimeToHead: histogram<{ upstream: UpstreamLabel }>(
      'precis_proxy_time_to_head_seconds',
      'Time from sending a request on to the head of the answer.',
      MODEL_SECONDS,
      ['upstream'],
    ),

    readCountCacheHits: readCounter(
      'precis_count_cache_hits_total',
      'Token counts that the cache knew.',
    ),
    readCountCacheMisses: readCounter(
      'precis_count_cache_misses_total',
      'Token counts that had to be made.',
    ),
    readCountCacheBytes: readGauge(
      'precis_count_cache_bytes',
      'Memory that cached token counts take, in bytes.',
    ),

    httpRequests: counter<{ method: MethodLabel; route: string; status: StatusClassLabel }>(
      'precis_http_requests_total',
      'HTTP requests by method, route and class of status.',
      ['method', 'route', 'status'],
    ),
    httpProblems: counter<{ code: ErrorCode }>(
      'precis_http_problems_total',
      'Problem documents by code.',
      ['code'],
    ),
    httpRequestDuration: histogram<{ method: MethodLabel; route: string }>(
      'precis_http_request_duration_seconds',
      'Time from the head of a request to the end of its answer.',
      REQUEST_SECONDS,
      ['method', 'route'],
    ),
    httpRequestSize: histogram<{ route: string }>(
      'precis_http_request_size_bytes',
      'Bytes of request bodies.',
      REQUEST_BYTES,
      ['route'],
    ),
    readHttpRequestsInFlight: readGauge(
      'precis_http_requests_in_flight',
      'Requests in progress that hold a place.',
    ),
    readHttpRequestsLimit: readGauge(
      'precis_http_requests_in_flight_limit',
      'Most requests in progress; those above it are shed.',
    ),
    readHttpBytesInFlight: readGauge(
      'precis_http_request_bytes_in_flight',
      'Bytes of request bodies in progress.',
    ),
    readHttpBytesLimit: readGauge(
      'precis_http_request_bytes_in_flight_limit',
      'Most bytes of request bodies in progress; requests above it are shed.',
    ),
  }
}
