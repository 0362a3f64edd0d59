/** Traces: a span per stage and per call outside, one trace from the caller on, and no content. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { type SummarizerServer, startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../helpers/trace-collector.ts'

const SECRET = 'axolotl'
const WORKER_MIN_BYTES = 200_000
const SERVER = 2
const CLIENT = 3

let collector: TraceCollector
let decide: DecideServer
let summarizer: SummarizerServer
let service: ServiceProcess

beforeAll(async () => {
  collector = await startTraceCollector()
  decide = await WIRES.systemone.start((id) => (id === 'preserves' ? 0.95 : 0.4))
  summarizer = await startSummarizerServer()
  summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
  service = await startServiceProcess({
    environment: {
      ...decideVariables('systemone', decide.url, 5_000),
      ...summarizerVariables('openai', summarizer, 5_000),
      PRECIS_TRACING_URL: collector.url,
      PRECIS_WORKERS: '1',
      PRECIS_WORKER_MIN_BYTES: String(WORKER_MIN_BYTES),
      // The collector wants them soon (OpenTelemetry, *Environment variable specification*).
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
}, START_PROCESS_MS)
afterAll(async () => {
  await service?.close()
  await decide?.close()
  await summarizer?.close()
  await collector?.close()
})

const conversation = (length: number) =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} ${SECRET} ${'and so on '.repeat(40)}`,
  }))

/** A caller's own trace. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, baggage: `user=${SECRET}` }

/** Spans are sent in batches, a little later. */
async function spansOf(traceId: string, isComplete: (spans: readonly ReceivedSpan[]) => boolean) {
  for (let waited = 0; waited < 15_000; waited += 100) {
    const spans = collector.spans().filter((span) => span.traceId === traceId)
    if (isComplete(spans)) return spans
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return collector.spans().filter((span) => span.traceId === traceId)
}

const compact = (messages: readonly object[], more: Readonly<Record<string, string>> = {}) =>
  service.send('/compact', {
    method: 'POST',
    body: { messages, targetTokens: 2_000 },
    headers: { ...headers, ...more },
  })

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === name)

const served = (spans: readonly ReceivedSpan[]) => spans.filter(({ kind }) => kind === SERVER)

describe('a compaction in the trace of its caller', () => {
  it('has a span of its own, one per stage that ran, and one per call outside', async () => {
    expect((await compact(conversation(60))).statusCode).toBe(200)
    const spans = await spansOf(TRACE, (all) => served(all).length > 0)
    const [request] = served(spans)
    expect(request).toMatchObject({ parentSpanId: PARENT, name: 'POST /compact' })
    expect(named(spans, 'stage relevance')).toHaveLength(1)
    expect(named(spans, 'stage summarize')).toHaveLength(1)
    const calls = spans.filter(({ kind }) => kind === CLIENT)
    expect(named(calls, 'decide systemone').length).toBeGreaterThan(0)
    expect(calls.find(({ name }) => name.startsWith('chat '))?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'http.response.status_code': 200,
    })
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).toContain('precis.outcome')
  })

  it('hands the trace on to the models, and no baggage', () => {
    for (const { headers: sent } of [...decide.requests, ...summarizer.requests]) {
      expect(sent.traceparent).toContain(TRACE)
      expect(sent.baggage).toBeUndefined()
    }
  })

  it('is traced the same on another thread', async () => {
    const other = TRACE.replace('4b', '5c')
    const large = conversation(600)
    expect(JSON.stringify(large).length).toBeGreaterThan(WORKER_MIN_BYTES)
    const traceparent = headers.traceparent.replace(TRACE, other)
    expect((await compact(large, { traceparent })).statusCode).toBe(200)
    const spans = await spansOf(other, (all) => named(all, 'stage relevance').length > 0)
    expect(named(spans, 'stage relevance')).toHaveLength(1)
  }, 60_000)
})

describe('a compaction by a contract of a gateway', () => {
  it('has the same spans', async () => {
    const other = TRACE.replace('4b', '6d')
    const answer = await service.send('/v1/compress', {
      method: 'POST',
      body: { messages: conversation(60), model: 'gpt-4o', token_budget: 2_000 },
      headers: { traceparent: headers.traceparent.replace(TRACE, other) },
    })
    expect(answer.statusCode).toBe(200)
    const spans = await spansOf(other, (all) => served(all).length > 0)
    expect(named(spans, 'stage relevance')).toHaveLength(1)
    const outcomes = spans.flatMap(({ attributes }) => attributes['precis.outcome'] ?? [])
    expect(outcomes).toEqual(['compacted'])
  })
})

describe('what is not traced', () => {
  it('is any text: of messages, errors, queries or baggage', async () => {
    await service.send(`/compact?key=${SECRET}`, { method: 'POST', body: `{"${SECRET}"`, headers })
    await service.send(`/${SECRET}`, { headers })
    await compact([{ role: SECRET, content: SECRET }])
    await spansOf(TRACE, (all) => served(all).length >= 4)
    expect(collector.text()).toContain('precis')
    expect(collector.text()).not.toContain(`key=${SECRET}`)
    expect(collector.text().replaceAll(`"/${SECRET}"`, '')).not.toContain(SECRET)
  })

  it('are probes', async () => {
    await service.send('/healthz', { headers })
    const spans = collector.spans()
    expect(spans.some(({ attributes }) => attributes['url.path'] === '/healthz')).toBe(false)
  })
})
