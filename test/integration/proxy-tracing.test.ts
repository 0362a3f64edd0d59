/** A proxied compaction in the trace of its caller, on the service's thread and on another. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REQUESTS } from '../helpers/proxy/conversations.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { type ServicePair, startServicePair, upstreamVariables } from '../helpers/service-pair.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../helpers/trace-collector.ts'

const PARENT = '00f067aa0ba902b7'
const REQUEST = 'POST /v1/chat/completions'

let collector: TraceCollector
let upstream: RawUpstream
let pair: ServicePair

beforeAll(async () => {
  collector = await startTraceCollector()
  upstream = await startRawUpstream()
  pair = await startServicePair({
    ...upstreamVariables(upstream.origin),
    PRECIS_TRACING_URL: collector.url,
    // The collector wants them soon (OpenTelemetry, *Environment variable specification*).
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
}, START_PROCESS_MS * 2)
afterAll(async () => {
  await pair?.close()
  await upstream?.close()
  await collector?.close()
})

/** Spans are sent in batches, a little later, by each thread its own. */
async function spansOf(traceId: string, isComplete: (names: readonly string[]) => boolean) {
  for (let waited = 0; ; waited += 100) {
    const spans = collector.spans().filter((span) => span.traceId === traceId)
    if (waited > 15_000 || isComplete(spans.map(({ name }) => name))) return spans
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === name)

async function traced(
  which: 'threaded' | 'alone',
  traceId: string,
  isComplete: (names: readonly string[]) => boolean,
) {
  const { path, body } = REQUESTS['openai-chat']
  const answer = await pair[which].send(path, {
    method: 'POST',
    body: body(60),
    headers: { traceparent: `00-${traceId}-${PARENT}-01`, 'x-precis-target': '5000' },
  })
  expect(answer.headers['x-precis-outcome']).toBe('compacted')
  return spansOf(traceId, isComplete)
}

const outcomes = (spans: readonly ReceivedSpan[]) =>
  spans.flatMap(({ attributes }) => attributes['precis.outcome'] ?? [])

describe('a proxied compaction', () => {
  it('has a span per stage that ran, below that of its request, which says what came of it', async () => {
    const spans = await traced('alone', '4bf92f3577b34da6a3ce929d0e0e4736', (names) =>
      names.includes(REQUEST),
    )
    expect(named(spans, REQUEST)[0]).toMatchObject({ parentSpanId: PARENT })
    const { hostname, port } = new URL(upstream.origin)
    expect(named(spans, 'proxy openai')[0]?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'server.address': hostname,
      'server.port': Number(port),
      'http.response.status_code': 200,
    })
    expect(named(spans, 'stage truncate').length).toBeGreaterThan(0)
    expect(outcomes(spans)).toEqual(['compacted'])
  })

  it('has the same spans in the same trace on another thread, below that of its work there', async () => {
    const spans = await traced(
      'threaded',
      '5cf92f3577b34da6a3ce929d0e0e4736',
      (names) => names.includes(REQUEST) && names.includes('work proxy'),
    )
    const [work] = named(spans, 'work proxy')
    expect(spans.some(({ spanId }) => spanId === work?.parentSpanId)).toBe(true)
    const stages = spans.filter(({ name }) => name.startsWith('stage '))
    expect(named(stages, 'stage truncate').length).toBeGreaterThan(0)
    expect(new Set(stages.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([work?.spanId]))
    expect(outcomes(spans)).toEqual(['compacted'])
    expect(collector.text()).not.toContain('shipment')
  })
})
