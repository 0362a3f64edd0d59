/** Models that are all down, callers who leave, and more callers than there is room for. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { expectProblem } from '../helpers/expect-problem.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import {
  type CompactAnswer,
  expectFitting,
  expectReason,
  stageOf,
} from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { type SummarizerServer, startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'
import { TIMED } from '../helpers/timed.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const sample = sampleConversation('neurolink')
const BODY = { ...sample.request, targetTokens: 2_000 }

interface SetUp {
  readonly decide: DecideServer
  readonly summarizer: SummarizerServer
  readonly service: RunningService
}

async function setUp(
  timeouts: { readonly decide: number; readonly summarizer: number },
  environment: Readonly<Record<string, string>> = {},
): Promise<SetUp> {
  const decide = await WIRES.systemone.start(() => 0.01)
  const summarizer = await startSummarizerServer()
  const service = await startService({
    ...decideVariables('systemone', decide.url, timeouts.decide),
    ...summarizerVariables('anthropic', summarizer, timeouts.summarizer),
    ...environment,
  })
  closing.push(decide.close, summarizer.close, service.close)
  return { decide, summarizer, service }
}

describe('with both models down at once', () => {
  test(
    'the conversation is compacted within the deadline, and both failures are named',
    TIMED,
    async () => {
      const { decide, summarizer, service } = await setUp(
        { decide: 500, summarizer: 60_000 },
        { PRECIS_REQUEST_DEADLINE_MS: '4000' },
      )
      decide.setFault('hang')
      summarizer.script({ kind: 'hang' })
      const answer = await service.ask<CompactAnswer>('/compact', BODY)
      expect(answer.milliseconds).toBeLessThan(4_000)
      expectFitting(sample.request, answer)
      expect(answer.stagesUsed).toEqual(['truncate'])
      expect(answer.relevance?.answered).toBe(0)
      expectReason(answer.relevance?.failOpen, 'timeout')
      expect(answer.summary).toMatchObject({ accepted: false, reason: 'deadline' })
      const metrics = await service.metrics()
      expect(metrics.by('precis_fail_open_total', 'site')).toEqual({ relevance: 1, summarize: 1 })
    },
  )

  test('the one that would eat the whole deadline leaves the other its share', TIMED, async () => {
    const { decide, summarizer, service } = await setUp(
      { decide: 60_000, summarizer: 60_000 },
      { PRECIS_REQUEST_DEADLINE_MS: '3000' },
    )
    decide.setFault('hang')
    const answer = await service.ask<CompactAnswer>('/compact', BODY)
    expect(answer.milliseconds).toBeLessThan(3_000)
    expectFitting(sample.request, answer)
    expect(stageOf(answer, 'relevance')).toMatchObject({ status: 'failed', reason: 'deadline' })
    expect(stageOf(answer, 'summarize')?.status).toBe('applied')
    expect(summarizer.requests).toHaveLength(1)
  })
})

describe('a caller who leaves', () => {
  test('while relevance is judged takes the request to the model along', async () => {
    const { decide, summarizer, service } = await setUp({ decide: 60_000, summarizer: 60_000 })
    decide.setFault('hang')
    await expectLeaving(service, () => decide.requests.length)
    await eventually(() => decide.openSockets() === 0)
    // Nobody waits for the stages that would have come.
    expect(summarizer.requests).toHaveLength(0)
    decide.setFault(undefined)
    await expectWell(service)
  })

  test('while the summary is written takes the request to the summariser along', async () => {
    const { summarizer, service } = await setUp({ decide: 60_000, summarizer: 60_000 })
    summarizer.script({ kind: 'hang' }, { kind: 'summary', text: GOOD_SUMMARY })
    await expectLeaving(service, () => summarizer.requests.length)
    expect(await summarizer.requests[0]?.aborted).toBe(true)
    await expectWell(service)
  })

  test('while another one stays does not take the other along', async () => {
    const { decide, service } = await setUp(
      { decide: 60_000, summarizer: 60_000 },
      { PRECIS_OPTION_SUMMARIZE_ENABLED: 'false' },
    )
    decide.setFault('hang')
    const staying = service.ask<CompactAnswer>('/compact', BODY)
    await expectLeaving(service, () => decide.requests.length, 2)
    expect(decide.openSockets()).toBeGreaterThan(0)
    await decide.close()
    const answer = await staying
    expectFitting(sample.request, answer)
    expect(answer.relevance?.failOpen).toBe('network')
  })
})

/** Posts, leaves when `requests` have reached the model, and waits for the service to notice. */
async function expectLeaving(
  service: RunningService,
  requests: () => number,
  expected = 1,
): Promise<void> {
  const caller = new AbortController()
  const options = { method: 'POST', body: BODY, signal: caller.signal } as const
  const left = expect(service.send('/compact', options)).rejects.toThrow(/abort/i)
  await eventually(() => requests() === expected)
  caller.abort()
  await left
  await vi.waitFor(
    async () => {
      const problems = (await service.metrics()).by('precis_http_problems_total', 'code')
      expect(problems).toEqual({ 'client-closed-request': 1 })
    },
    { timeout: 8_000 },
  )
  const line = service.logLines().find(({ problem }) => problem === 'client-closed-request')
  expect(line).toMatchObject({ msg: 'request completed', status: 499 })
}

async function expectWell(service: RunningService): Promise<void> {
  expect((await service.send('/healthz')).statusCode).toBe(200)
  const answer = await service.ask<CompactAnswer>('/compact', BODY)
  expectFitting(sample.request, answer)
  expect(answer.relevance).toMatchObject({ answered: sample.eligible.length })
  expect((await service.metrics()).sum('precis_http_requests_in_flight')).toBe(0)
}

describe('a burst of callers', () => {
  test(
    'on a model that hangs is answered, every one of them, on few connections',
    TIMED,
    async () => {
      const { decide, service } = await setUp(
        // Longer than it takes to connect eight times while a hundred are compacted beside.
        { decide: 2_000, summarizer: 1_000 },
        { PRECIS_REQUEST_DEADLINE_MS: '20000', PRECIS_OPTION_SUMMARIZE_ENABLED: 'false' },
      )
      decide.setFault('hang')
      const callers = Array.from({ length: 100 }, () =>
        service.ask<CompactAnswer>('/compact', BODY),
      )
      await eventually(() => decide.openSockets() === 8)
      const answers = await Promise.all(callers)
      for (const answer of answers) {
        expect(answer.milliseconds).toBeLessThan(20_000)
        expectFitting(sample.request, answer)
        expect(answer.relevance).toMatchObject({ answered: 0, dropped: 0 })
      }
      const metrics = await service.metrics()
      expect(metrics.by('precis_fail_open_total', 'site')).toEqual({ relevance: 100 })
      // Eight are sent and time out; more than 64 do not wait; then the breaker lets none through.
      const {
        timeout = 0,
        deadline = 0,
        busy = 0,
        'breaker-open': refused = 0,
      } = metrics.by('precis_fail_open_total', 'reason')
      expect(timeout + deadline).toBeGreaterThanOrEqual(8)
      expect(busy + refused).toBeGreaterThan(0)
      expect(timeout + deadline + busy + refused).toBe(100)
      // Eight at a time, until five have failed; what is cut off is replaced for whoever comes next.
      expect(decide.requests.length).toBeLessThanOrEqual(8 + 4)
      expect(decide.connections()).toBeLessThanOrEqual(8 + decide.requests.length)
      expect(metrics.sum('precis_http_requests_in_flight')).toBe(0)
    },
  )

  test('that is larger than the limit is told when to come back', async () => {
    const { decide, service } = await setUp(
      { decide: 60_000, summarizer: 60_000 },
      { PRECIS_MAX_CONCURRENT_REQUESTS: '4', PRECIS_OPTION_SUMMARIZE_ENABLED: 'false' },
    )
    decide.setFault('hang')
    const options = { method: 'POST', body: BODY } as const
    const first = Array.from({ length: 4 }, () => service.send('/compact', options))
    await eventually(() => decide.requests.length === 4)
    expectProblem(await service.send('/compact', options), 'overloaded')
    expect((await service.send('/healthz')).statusCode).toBe(200)
    await decide.close()
    expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual(
      Array.from({ length: 4 }, () => 200),
    )
    expect((await service.send('/compact', options)).statusCode).toBe(200)
  })
})

describe('a service that was busy for a second', () => {
  test('takes requests at once where that is below its limit', async () => {
    const service = await startService({ PRECIS_MAX_EVENT_LOOP_DELAY_MS: '4000' })
    closing.push(service.close)
    // Which of the loop's timers comes first after a block is chance: one such is too few to see it.
    for (let block = 0; block < 6; block += 1) {
      const until = performance.now() + 1_050
      while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 30))
      const { statusCode } = await service.send('/compact', { method: 'POST', body: BODY })
      expect(statusCode).toBe(200)
    }
  })
})
