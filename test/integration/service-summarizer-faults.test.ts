/** P7 over HTTP: a summariser that fails costs its summary, and nothing else. */
import { afterEach, describe, expect, test } from 'vitest'
import type { SummarizeFailure } from '../../src/engine/ports.ts'
import type { SummaryFault } from '../../src/engine/summary/checks.ts'
import type { SampledFormat } from '../helpers/sample-conversation.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting, stageOf } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import {
  type ScriptedAnswer,
  type SummarizerServer,
  startSummarizerServer,
} from '../helpers/summarizer-server.ts'
import {
  type Dialect,
  GOOD_SUMMARY,
  SUMMARIZER_DIALECTS,
  summarizerVariables,
} from '../helpers/summarizer-variables.ts'
import { TIMED } from '../helpers/timed.ts'

const DEADLINE_MS = 3_000
/** One answer may take so long; a retry does not double it. */
const TIMEOUT_MS = { ofSilence: 600, ofAnswers: 2_000 }
const TARGET_TOKENS = 2_000
const SECRET = 'pangolin'
/** What the faulty servers say, and a model that does what it should not. */
const SERVER_WORDS = ['Bad gateway', 'Scripted', 'half a thought', 'drop by drop', 'padding']

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface SetUp {
  readonly server: SummarizerServer
  readonly service: RunningService
  readonly sample: ReturnType<typeof sampleConversation>
  readonly compact: () => Promise<CompactAnswer & { milliseconds: number }>
}

const FORMAT: Readonly<Record<Dialect, SampledFormat>> = {
  openai: 'neurolink',
  anthropic: 'openai-chat',
}

async function setUp(dialect: Dialect, timeoutMs = TIMEOUT_MS.ofAnswers): Promise<SetUp> {
  const server = await startSummarizerServer()
  const service = await startService({
    ...summarizerVariables(dialect, server, timeoutMs),
    PRECIS_DECIDE_WIRE: 'none',
    PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
  })
  closing.push(server.close, service.close)
  const sample = sampleConversation(FORMAT[dialect], { secret: SECRET })
  const body = { ...sample.request, targetTokens: TARGET_TOKENS }
  return { server, service, sample, compact: () => service.ask<CompactAnswer>('/compact', body) }
}

const FAULTS: readonly [what: string, answer: ScriptedAnswer, reason: SummarizeFailure][] = [
  ['hangs', { kind: 'hang' }, 'timeout'],
  ['drips its answer', { kind: 'drip', everyMs: 20 }, 'timeout'],
  ['resets the connection', { kind: 'reset' }, 'network'],
  ['cuts its answer off', { kind: 'reset', afterBytes: 40 }, 'network'],
  ['answers a web page', { kind: 'garbage' }, 'malformed-response'],
  ['answers half of its JSON', { kind: 'truncated-json' }, 'malformed-response'],
  ['answers nothing', { kind: 'raw', status: 200, body: '' }, 'malformed-response'],
  ['answers null', { kind: 'raw', status: 200, body: 'null' }, 'malformed-response'],
  [
    'answers another API',
    { kind: 'raw', status: 200, body: '{"output":[1]}' },
    'malformed-response',
  ],
  [
    'answers more than anybody reads',
    { kind: 'raw', status: 200, body: `{"padding":"${'x'.repeat(8 * 1024 * 1024)}"}` },
    'malformed-response',
  ],
  ['refuses the key with 401', { kind: 'error', status: 401 }, 'authentication'],
  ['refuses the account with 403', { kind: 'error', status: 403 }, 'authentication'],
  ['refuses the size with 413', { kind: 'error', status: 413 }, 'max-tokens-exceeded'],
  ['refuses the request with 422', { kind: 'error', status: 422 }, 'invalid-request'],
  ['limits the rate with 429', { kind: 'error', status: 429, retryAfter: '0' }, 'rate-limit'],
  [
    'wants to be left alone for a minute',
    { kind: 'error', status: 429, retryAfter: '60' },
    'rate-limit',
  ],
  ['fails with 500', { kind: 'error', status: 500 }, 'server'],
  ['is overloaded with 529', { kind: 'error', status: 529 }, 'overloaded'],
]

const REFUSED: readonly [what: string, answer: ScriptedAnswer, reason: SummaryFault][] = [
  ['says nothing', { kind: 'empty' }, 'empty'],
  ['calls a tool instead', { kind: 'tool-call' }, 'tool-call-only'],
  ['thinks until its output runs out', { kind: 'reasoning-only', text: 'half a thought' }, 'empty'],
  ['refuses', { kind: 'refusal', explanation: 'half a thought' }, 'refusal'],
  ['is filtered', { kind: 'filtered', fragment: 'half a thought' }, 'refusal'],
  ['apologises', { kind: 'summary', text: "I'm sorry, that is half a thought." }, 'refusal'],
  [
    'writes more than it was given',
    { kind: 'summary', text: 'half a thought '.repeat(3_000) },
    'not-smaller',
  ],
]

describe.each(SUMMARIZER_DIALECTS)('with a summariser that speaks %s and', (dialect) => {
  test('does its work, the summary replaces the older part', async () => {
    const { server, service, sample, compact } = await setUp(dialect)
    server.script({ kind: 'summary', text: GOOD_SUMMARY })
    const answer = await compact()
    expectFitting(sample.request, answer)
    expect(answer.stagesUsed).toEqual(['summarize'])
    expect(answer.summary).toMatchObject({ accepted: true, rounds: 1 })
    expect(JSON.stringify(answer.messages)).toContain('Primary Request and Intent: build every')
    const metrics = await service.metrics()
    expect(metrics.sum('precis_fail_open_total', { site: 'summarize' })).toBe(0)
    expect(metrics.sum('precis_messages_dropped_total', { reason: 'summarized' })).toBe(
      answer.summary?.covers,
    )
  })

  test.each(FAULTS)('%s, the next stage runs', TIMED, async (_, scripted, reason) => {
    const silent = scripted.kind === 'hang' || scripted.kind === 'drip'
    const { server, service, sample, compact } = await setUp(
      dialect,
      silent ? TIMEOUT_MS.ofSilence : TIMEOUT_MS.ofAnswers,
    )
    server.script(scripted)
    const answer = await compact()

    expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
    expectFitting(sample.request, answer)
    expect(answer.stagesUsed).toEqual(['truncate'])
    expect(stageOf(answer, 'summarize')).toMatchObject({ status: 'failed', reason, dropped: 0 })
    expect(answer.summary).toMatchObject({ accepted: false, reason, tokens: 0 })

    const metrics = await service.metrics()
    expect(metrics.by('precis_fail_open_total', 'site')).toEqual({ summarize: 1 })
    expect(metrics.by('precis_fail_open_total', 'reason')).toEqual({ [reason]: 1 })
    expect(metrics.by('precis_summaries_total', 'verdict')).toEqual({ failed: 1 })

    expect(JSON.stringify(server.requests[0]?.body)).toContain(SECRET)
    expectSilent(service, server)
  })

  test.each(REFUSED)('%s, its summary is refused', async (_, scripted, reason) => {
    const { server, service, sample, compact } = await setUp(dialect)
    server.script(scripted)
    const answer = await compact()

    expectFitting(sample.request, answer)
    expect(answer.stagesUsed).toEqual(['truncate'])
    expect(stageOf(answer, 'summarize')).toMatchObject({ status: 'failed', reason, dropped: 0 })
    expect(answer.summary).toMatchObject({ accepted: false, reason })
    expect(JSON.stringify(answer.messages)).not.toContain('half a thought')

    const metrics = await service.metrics()
    expect(metrics.by('precis_summaries_total', 'verdict')).toEqual({ 'rejected-by-check': 1 })
    expect(metrics.sum('precis_fail_open_total')).toBe(0)
    expectSilent(service, server)
  })

  test(
    'would take longer than the request may, the deadline of the request ends it',
    TIMED,
    async () => {
      const { server, service, sample, compact } = await setUp(dialect, 600_000)
      server.script({ kind: 'hang' })
      const answer = await compact()
      expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
      expectFitting(sample.request, answer)
      expect(answer.summary).toMatchObject({ accepted: false, reason: 'deadline' })
      expect(await server.requests[0]?.aborted).toBe(true)
      const failOpen = { site: 'summarize', reason: 'deadline' }
      expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
    },
  )
})

test('without a summariser its stage is skipped, and says so', async () => {
  const service = await startService({ PRECIS_DECIDE_WIRE: 'none' })
  closing.push(service.close)
  const { request } = sampleConversation('anthropic-messages')
  const answer = await service.ask<CompactAnswer>('/compact', { ...request, targetTokens: 2_000 })
  expectFitting(request, answer)
  expect(answer).toMatchObject({ summary: null, stagesUsed: ['truncate'] })
  expect(stageOf(answer, 'summarize')).toMatchObject({
    status: 'skipped',
    reason: 'no-summarizer',
  })
  expect(stageOf(answer, 'relevance')).toMatchObject({
    status: 'skipped',
    reason: 'no-decide-model',
  })
})

function expectSilent(service: RunningService, server: SummarizerServer): void {
  expect(service.logText()).toContain('"status":200')
  for (const word of [SECRET, server.rules.apiKey, ...SERVER_WORDS]) {
    expect(service.logText()).not.toContain(word)
  }
}
