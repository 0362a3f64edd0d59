import {
  beginsAtOne,
  decideBucket,
  decideRequests,
  dips,
  failOpen,
  gatewayRequests,
  growsLater,
  overflow,
  problems,
  proxyReason,
  requests,
  type SeriesTable,
  series,
  stages,
  stepsOnce,
  turns,
  upstream,
} from './healthy-series.ts'

export interface AlertScenario {
  /** What happens, as the end of a sentence that begins with `when`. */
  readonly when: string
  /** Series that differ from those of a healthy instance; null takes one away. */
  readonly series: Readonly<Record<string, string | null>>
  /** Every alert that fires at any time, and no other. */
  readonly fires: readonly string[]
}

const everySeriesOf = (table: SeriesTable): Readonly<Record<string, null>> =>
  Object.fromEntries(Object.keys(table).map((name) => [name, null]))

export const SILENT_SCENARIOS: readonly AlertScenario[] = [
  { when: 'all is well', series: {}, fires: [] },
  {
    when: 'one scrape fails',
    series: { [series('up')]: dips(1, 0, 2) },
    fires: [],
  },
  {
    when: 'it is deployed anew, twice in an hour',
    series: { [series('precis_process_start_time_seconds')]: '1000x120 2000x160 3000x200' },
    fires: [],
  },
  {
    when: 'a burst is shed for a minute',
    series: {
      [problems('overloaded')]: '0x120 0+10x3 40x360',
      [requests('5xx')]: '0x120 0+10x3 40x360',
    },
    fires: [],
  },
  {
    when: 'the decide model is down for a minute',
    series: {
      [failOpen('relevance', 'server')]: '0x120 0+8x3 32x360',
      [stages('relevance', 'failed')]: '0x120 0+8x3 32x360',
      [series('precis_decide_breaker_state', { wire: 'systemone' })]: dips(0, 2, 4),
    },
    fires: [],
  },
  {
    when: 'a breaker has stayed open and nobody asks',
    series: {
      [series('precis_decide_breaker_state', { wire: 'systemone' })]: turns(0, 2),
      [decideRequests('answered')]: '0+10x120 1200x360',
      [decideBucket('0.5')]: '0+10x120 1200x360',
      [decideBucket('5')]: '0+10x120 1200x360',
      [decideBucket('+Inf')]: '0+10x120 1200x360',
    },
    fires: [],
  },
  {
    when: 'callers send what cannot be read, or leave',
    series: {
      // Another instance, which has refused no key and made no error.
      [series('precis_fail_open_total', {
        instance: 'b:8080',
        site: 'summarize',
        reason: 'authentication',
      })]: '_x120 0x240',
      [problems('invalid-json')]: growsLater(10),
      [problems('client-closed-request')]: growsLater(10),
      [requests('4xx')]: growsLater(20),
    },
    fires: [],
  },
]

const brokenDecide = {
  [failOpen('relevance', 'server')]: growsLater(8),
  [stages('relevance', 'failed')]: growsLater(8),
  [stages('relevance', 'applied')]: '0+8x120 960x360',
}

export const FAULT_SCENARIOS: readonly AlertScenario[] = [
  {
    when: 'an instance goes away',
    series: { [series('up')]: turns(1, 0) },
    fires: ['PrecisDown'],
  },
  {
    when: 'an instance starts again and again',
    series: {
      [series('precis_process_start_time_seconds')]: '1000x120 2000x20 3000x20 4000x20 5000x300',
    },
    fires: ['PrecisRestarting'],
  },
  {
    when: 'a third of the requests is shed',
    series: { [problems('overloaded')]: growsLater(5), [requests('5xx')]: growsLater(5) },
    fires: ['PrecisRequestsFailing', 'PrecisShedding'],
  },
  {
    when: 'one request in twenty is shed',
    series: { [problems('overloaded')]: growsLater(0.5), [requests('5xx')]: growsLater(0.5) },
    fires: ['PrecisShedding'],
  },
  {
    when: 'one request in twenty runs out of time',
    series: {
      [problems('deadline-exceeded')]: growsLater(0.5),
      [requests('5xx')]: growsLater(0.5),
    },
    fires: ['PrecisDeadlineExceeded'],
  },
  {
    when: 'places for requests are nearly all taken',
    series: { [series('precis_http_requests_in_flight')]: turns(4, 120) },
    fires: ['PrecisSaturated'],
  },
  {
    when: 'bytes in progress are near their bound',
    series: { [series('precis_http_request_bytes_in_flight')]: turns(1e6, 2.5e8) },
    fires: ['PrecisSaturated'],
  },
  {
    when: 'the event loop comes late',
    series: { [series('precis_nodejs_eventloop_lag_p99_seconds')]: turns(0.02, 1.5) },
    fires: ['PrecisEventLoopSlow'],
  },
  {
    when: 'an output breaks a rule that was never broken before',
    series: {
      [series('precis_invariant_violations_total', { rule: 'orphan-result' })]: beginsAtOne,
    },
    fires: ['PrecisInvariantViolation'],
  },
  {
    when: 'an output breaks a rule once more',
    series: {
      [series('precis_invariant_violations_total', { rule: 'orphan-result' })]: '3x120 4x360',
    },
    fires: ['PrecisInvariantViolation'],
  },
  {
    when: 'a single request ends in an unexpected error',
    series: { [problems('internal')]: stepsOnce },
    fires: ['PrecisInternalError'],
  },
  {
    when: 'half of the requests end in an unexpected error',
    series: { [problems('internal')]: growsLater(10), [requests('5xx')]: growsLater(10) },
    fires: ['PrecisInternalError', 'PrecisRequestsFailing'],
  },
  {
    when: 'a third of the compactions does not fit',
    series: { [series('precis_budget_unreachable_total')]: growsLater(3) },
    fires: ['PrecisBudgetUnreachable'],
  },
  {
    when: 'the decide model answers nothing but errors',
    series: brokenDecide,
    fires: ['PrecisJudgementsFailOpen'],
  },
  {
    when: 'the decide model is down and its breaker open',
    series: {
      ...brokenDecide,
      [series('precis_decide_breaker_state', { wire: 'systemone' })]: turns(0, 2),
      [decideRequests('breaker-open')]: growsLater(8),
    },
    fires: ['PrecisDecideBreakerOpen', 'PrecisJudgementsFailOpen'],
  },
  {
    when: 'the first wire of a chain is down and the second answers',
    series: {
      [series('precis_decide_breaker_state', { wire: 'vercel' })]: turns(0, 2),
      [series('precis_decide_requests_total', { wire: 'vercel', result: 'breaker-open' })]:
        growsLater(8),
    },
    fires: ['PrecisDecideBreakerOpen'],
  },
  {
    when: 'a breaker that is open is tried every now and then, in vain',
    series: {
      [series('precis_decide_breaker_state', {
        wire: 'systemone',
      })]: `0x120 ${'2x5 1 '.repeat(20)}2x200`,
    },
    fires: ['PrecisDecideBreakerOpen'],
  },
  {
    when: 'the gate of summaries gets no answer',
    series: {
      [failOpen('summary-gate', 'timeout')]: growsLater(4),
      [series('precis_confidence_count', { question: 'preserves' })]: '0+4x120 480x360',
    },
    fires: ['PrecisJudgementsFailOpen'],
  },
  {
    when: 'the question about the scope gets no answer',
    series: {
      [failOpen('context-scope', 'timeout')]: growsLater(4),
      [series('precis_confidence_count', { question: 'context-scope' })]: '0+4x120 480x360',
    },
    fires: ['PrecisJudgementsFailOpen'],
  },
  {
    when: 'the summariser is down',
    series: {
      [failOpen('summarize', 'server')]: growsLater(4),
      [stages('summarize', 'failed')]: growsLater(4),
      [stages('summarize', 'applied')]: '0+4x120 480x360',
    },
    fires: ['PrecisSummariesFailing'],
  },
  {
    when: 'the decide model takes seconds',
    series: { [decideBucket('0.5')]: '0+10x120 1200x360' },
    fires: ['PrecisDecideSlow'],
  },
  {
    when: 'a model refuses the key once',
    series: { [failOpen('relevance', 'authentication')]: stepsOnce },
    fires: ['PrecisModelKeyRefused'],
  },
  {
    when: 'half of what a gateway sends is not understood',
    series: { [gatewayRequests('passed')]: growsLater(10) },
    fires: ['PrecisGatewayPassing'],
  },
  {
    when: 'an instance starts with a key that is refused before its first scrape',
    series: {
      [series('precis_fail_open_total', {
        instance: 'b:8080',
        site: 'summarize',
        reason: 'authentication',
      })]: beginsAtOne,
    },
    fires: ['PrecisModelKeyRefused'],
  },
  {
    when: 'an instance answers with an unexpected error before its first scrape',
    series: {
      [series('precis_http_problems_total', { instance: 'b:8080', code: 'internal' })]: beginsAtOne,
    },
    fires: ['PrecisInternalError'],
  },
  {
    when: 'the upstream of the proxy is not there',
    series: { [upstream('unreachable')]: growsLater(10), [upstream('2xx')]: '0+10x120 1200x360' },
    fires: ['PrecisUpstreamUnreachable'],
  },
  {
    when: 'the upstream of the proxy answers in no time',
    series: { [upstream('timeout')]: growsLater(10), [upstream('2xx')]: '0+10x120 1200x360' },
    fires: ['PrecisUpstreamUnreachable'],
  },
  {
    when: 'the upstream of the proxy answers with errors of its own',
    series: { [upstream('5xx')]: growsLater(10) },
    fires: ['PrecisUpstreamErrors'],
  },
  {
    when: 'the proxy fails to compact and passes requests on',
    series: { [proxyReason('failed')]: growsLater(2) },
    fires: ['PrecisProxyNotCompacting'],
  },
  {
    when: 'requests stay too long for the model',
    series: { [overflow('repeated')]: growsLater(1) },
    fires: ['PrecisContextOverflow'],
  },
]

/** Nothing is scraped any more: a service that was never found, or a job of another name. */
export const absentScenario = (healthy: SeriesTable): AlertScenario => ({
  when: 'Prometheus has no such target',
  series: everySeriesOf(healthy),
  fires: ['PrecisAbsent'],
})
