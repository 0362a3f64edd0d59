/**
 * What a healthy instance shows over 90 minutes, in the notation of promtool: a start, and a step for each
 * of the samples, which lie `SAMPLE_SECONDS` apart. Faults replace single series of it.
 */
export type SeriesTable = Readonly<Record<string, string>>

export const SAMPLE_SECONDS = 15
const SAMPLES = 360

/** A counter that grows by so many a sample. */
export const grows = (perSample: number): string => `0+${perSample}x${SAMPLES}`

/** Still for the first half hour, then growing. */
export const growsLater = (perSample: number): string => `0+0x120 0+${perSample}x360`

/** Steps up by one after half an hour, once. */
export const stepsOnce = '0x120 1x360'

/** Absent for half an hour, then 1: how a series looks that begins with its first event. */
export const beginsAtOne = '_x120 1x360'

export const stays = (value: number): string => `${value}x${SAMPLES}`

/** Fine for half an hour. */
export const turns = (before: number, after: number): string => `${before}x120 ${after}x360`

/** Bad for no longer than an alert waits. */
export const dips = (usual: number, meanwhile: number, samples: number): string =>
  `${usual}x120 ${meanwhile}x${samples - 1} ${usual}x360`

export const series = (name: string, labels: Readonly<Record<string, string>> = {}): string => {
  const all = Object.entries({ job: 'precis', instance: 'a:8080', ...labels })
  return `${name}{${all.map(([label, value]) => `${label}="${value}"`).join(',')}}`
}

export const failOpen = (site: string, reason: string) =>
  series('precis_fail_open_total', { site, reason })
export const problems = (code: string) => series('precis_http_problems_total', { code })
export const requests = (status: string) =>
  series('precis_http_requests_total', { method: 'POST', route: '/compact', status })
export const stages = (stage: string, status: string) =>
  series('precis_stages_total', { stage, status })
export const decideRequests = (result: string) =>
  series('precis_decide_requests_total', { wire: 'systemone', result })
export const decideBucket = (le: string) =>
  series('precis_decide_latency_seconds_bucket', { wire: 'systemone', le })
export const upstream = (result: string) =>
  series('precis_proxy_upstream_total', { upstream: 'openai', result })
export const proxyReason = (reason: string) =>
  series('precis_proxy_reasons_total', { upstream: 'openai', reason })
export const overflow = (result: string) =>
  series('precis_proxy_overflows_total', { upstream: 'openai', result })
export const gatewayRequests = (outcome: string) =>
  series('precis_gateway_requests_total', { contract: 'litellm', outcome })

export const HEALTHY: SeriesTable = {
  [series('up')]: stays(1),
  [series('precis_process_start_time_seconds')]: stays(1_000),
  [series('precis_nodejs_eventloop_lag_p99_seconds')]: stays(0.02),
  [series('precis_http_requests_in_flight')]: stays(4),
  [series('precis_http_requests_in_flight_limit')]: stays(128),
  [series('precis_http_request_bytes_in_flight')]: stays(1e6),
  [series('precis_http_request_bytes_in_flight_limit')]: stays(2.56e8),
  [requests('2xx')]: grows(10),
  [requests('5xx')]: grows(0),
  [problems('overloaded')]: grows(0),
  [problems('internal')]: grows(0),
  [problems('deadline-exceeded')]: grows(0),
  // Callers' own mistakes, which are nobody's emergency.
  [problems('invalid-json')]: grows(5),
  [series('precis_compactions_total', { format: 'openai-chat', outcome: 'compacted' })]: grows(10),
  [series('precis_budget_unreachable_total')]: '0+0.2x360',
  [series('precis_tokens_before_total', { format: 'openai-chat' })]: grows(1_000),
  [series('precis_tokens_saved_total', { format: 'openai-chat' })]: grows(500),
  [stages('relevance', 'applied')]: grows(8),
  [stages('relevance', 'failed')]: grows(0),
  [stages('summarize', 'applied')]: grows(4),
  [stages('summarize', 'failed')]: grows(0),
  [failOpen('relevance', 'server')]: '0+0.1x360',
  [failOpen('relevance', 'authentication')]: grows(0),
  [failOpen('summary-gate', 'timeout')]: grows(0),
  [failOpen('context-scope', 'timeout')]: grows(0),
  [failOpen('summarize', 'server')]: grows(0),
  [series('precis_confidence_count', { question: 'preserves' })]: grows(4),
  [series('precis_confidence_count', { question: 'context-scope' })]: grows(4),
  [decideRequests('answered')]: grows(10),
  [decideBucket('0.5')]: grows(10),
  [decideBucket('5')]: grows(10),
  [decideBucket('+Inf')]: grows(10),
  [series('precis_decide_breaker_state', { wire: 'systemone' })]: stays(0),
  [gatewayRequests('compacted')]: grows(10),
  [gatewayRequests('passed')]: grows(1),
  [upstream('2xx')]: grows(10),
  [upstream('5xx')]: '0+0.2x360',
  [upstream('unreachable')]: grows(0),
  [series('precis_proxy_requests_total', { upstream: 'openai', outcome: 'compacted' })]: grows(10),
  [proxyReason('not-generation')]: grows(5),
  [proxyReason('failed')]: grows(0),
  [overflow('recovered')]: grows(1),
  [overflow('repeated')]: grows(0),
}
