/** Fallback chains over HTTP: who answered, who failed, and that a caller gets an answer in time. */
import { afterEach, describe, expect, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { type Fault, isSilent } from '../helpers/decide-servers/fault.ts'
import {
  createRerankServer,
  RERANK_KEY,
  RERANK_MODEL,
} from '../helpers/decide-servers/rerank-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../helpers/decide-servers/system-one-server.ts'
import { createVercelServer, VERCEL_KEY } from '../helpers/decide-servers/vercel-server.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting, expectReason } from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'
import { startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'
import { TIMED } from '../helpers/timed.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const DEADLINE_MS = 3_000
const WITH_DEADLINE = { PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS) }
/** For a first server from which nothing comes; one that answers is waited for on however busy a machine. */
const IMPATIENT = { PRECIS_DECIDE_TIMEOUT_MS: '400' }
const variablesFor = (fault: Fault) => ({ ...WITH_DEADLINE, ...(isSilent(fault) && IMPATIENT) })

const SECRET = 'narwhal'
const sample = sampleConversation('openai-chat', { secret: SECRET })
const [oldest = 0, nextOldest = 0] = sample.eligible
const judge =
  (...unneeded: readonly number[]) =>
  ({ id }: { id: string }) =>
    unneeded.some((index) => id === `msg__${index}`) ? 0.01 : 0.9

async function start(environment: Readonly<Record<string, string>>) {
  const service = await startService(environment)
  closing.push(service.close)
  const compact = (extra: object = {}) =>
    service.ask<CompactAnswer>('/compact', {
      ...sample.request,
      // Names what the conversation speaks of, so that the embedded model has something to go by.
      currentRequest: 'Compare the output 3 with answer 5, question 2 and remark 6.',
      targetTokens: 2_000,
      ...extra,
    })
  return { service, compact }
}

async function systemOne(...unneeded: readonly number[]): Promise<DecideServer> {
  const server = await createSystemOneServer({ answer: judge(...unneeded) })
  closing.push(server.close)
  return server
}

async function vercel(...unneeded: readonly number[]): Promise<DecideServer> {
  const server = await createVercelServer({ answer: judge(...unneeded) })
  closing.push(server.close)
  return server
}

const withEmbedded = (server: DecideServer) => ({
  PRECIS_DECIDE_CHAIN: 'systemone,embedded',
  PRECIS_DECIDE_URL: server.url,
  PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
})
const withVercel = (first: DecideServer, second: DecideServer) => ({
  PRECIS_DECIDE_CHAIN: 'systemone,vercel',
  PRECIS_DECIDE_URL: first.url,
  PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
  PRECIS_DECIDE_FALLBACK_URL: second.url,
  PRECIS_DECIDE_FALLBACK_API_KEY: VERCEL_KEY,
})

const FAULTS: readonly [what: string, fault: Fault, reason: DecideFailure][] = [
  ['hangs', 'hang', 'timeout'],
  ['resets the connection', 'reset', 'network'],
  ['answers a web page', 'web-page', 'malformed-answer'],
  ['answers without answers', 'no-answers', 'malformed-answer'],
  ['refuses the key', { status: 401 }, 'authentication'],
  ['refuses every size', 'max-tokens', 'max-tokens-exceeded'],
  ['limits the rate', { status: 429, headers: { 'retry-after': '60' } }, 'rate-limit'],
  ['fails', { status: 500 }, 'server'],
  ['is overloaded', { status: 529 }, 'overloaded'],
]

describe('with systemone,embedded', () => {
  test('the embedded model is not asked while the server answers', async () => {
    const server = await systemOne(oldest)
    const { service, compact } = await start(withEmbedded(server))
    const answer = await compact()
    expectFitting(sample.request, answer)
    expect(answer.relevance).toMatchObject({
      wire: 'systemone',
      order: 'oldest-first',
      dropped: 1,
      links: [{ wire: 'systemone', result: 'answered', answered: sample.eligible.length }],
    })
    const metrics = await service.metrics()
    expect(metrics.by('precis_decide_requests_total', 'wire')).toEqual({ systemone: 1 })
  })

  test.each(FAULTS)(
    'a server that %s leaves the embedded model to judge, in time',
    TIMED,
    async (_, fault, expected) => {
      const server = await systemOne(oldest)
      const { service, compact } = await start({ ...withEmbedded(server), ...variablesFor(fault) })
      server.setFault(fault)
      const answer = await compact()
      expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
      expectFitting(sample.request, answer)
      expect(answer.relevance).toMatchObject({
        wire: 'embedded',
        order: 'least-needed-first',
        answered: sample.eligible.length,
      })
      expect(answer.relevance).not.toHaveProperty('failOpen')
      const [first, second] = answer.relevance?.links ?? []
      const reason = expectReason(first?.result, expected)
      expect(first).toMatchObject({ wire: 'systemone', answered: 0 })
      expect(second).toEqual({
        wire: 'embedded',
        result: 'answered',
        answered: sample.eligible.length,
      })
      const metrics = await service.metrics()
      const requests = 'precis_decide_requests_total'
      expect(metrics.sum(requests, { wire: 'systemone', result: reason })).toBe(1)
      expect(metrics.sum(requests, { wire: 'embedded', result: 'answered' })).toBe(1)
      expect(metrics.sum('precis_fail_open_total')).toBe(0)
      expect(service.logText()).not.toContain(SECRET)
    },
  )

  test('an open breaker is passed at once', async () => {
    const server = await systemOne(oldest)
    const { compact } = await start(withEmbedded(server))
    server.setFault({ status: 401 })
    await compact()
    const answer = await compact()
    expect(answer.relevance?.links?.[0]).toMatchObject({ result: 'breaker-open' })
    expect(answer.relevance?.wire).toBe('embedded')
    expect(server.requests).toHaveLength(1)
  })

  test('the embedded model does not gate: a failing gate accepts, as without a chain', async () => {
    const server = await systemOne()
    const { service } = await start(withEmbedded(server))
    server.setFault({ status: 500 })
    const answer = await service.ask('/summary-check', {
      ...sample.request,
      summary: GOOD_SUMMARY,
    })
    expect(answer).toMatchObject({ accepted: true, failOpen: 'server' })
  })
})

describe('with systemone,vercel', () => {
  test.each(FAULTS)(
    'a first server that %s leaves the second to judge',
    TIMED,
    async (_, fault) => {
      const [first, second] = [await systemOne(oldest), await vercel(oldest, nextOldest)]
      const { service, compact } = await start({
        ...withVercel(first, second),
        ...variablesFor(fault),
      })
      first.setFault(fault)
      const answer = await compact()
      expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
      expectFitting(sample.request, answer)
      expect(answer.relevance).toMatchObject({ wire: 'vercel', order: 'oldest-first', dropped: 2 })
      const metrics = await service.metrics()
      expect(
        metrics.sum('precis_decide_requests_total', { wire: 'vercel', result: 'answered' }),
      ).toBe(1)
    },
  )

  test('the second gates when the first cannot', async () => {
    const [first, second] = [
      await systemOne(),
      await createVercelServer({ answer: ({ id }) => (id === 'is_refusal' ? 0.99 : 0.9) }),
    ]
    closing.push(second.close)
    const { service } = await start(withVercel(first, second))
    first.setFault('reset')
    const { accepted, reason } = await service.ask<{ accepted: boolean; reason: string }>(
      '/summary-check',
      { ...sample.request, summary: GOOD_SUMMARY },
    )
    expect({ accepted, reason }).toEqual({ accepted: false, reason: 'gate' })
  })

  test('both failing fails open with the reason of the first', async () => {
    const [first, second] = [await systemOne(oldest), await vercel(oldest)]
    const { service, compact } = await start(withVercel(first, second))
    first.setFault({ status: 500 })
    second.setFault({ status: 401 })
    const answer = await compact()
    expectFitting(sample.request, answer)
    expect(answer.relevance).toMatchObject({
      failOpen: 'server',
      answered: 0,
      links: [
        { wire: 'systemone', result: 'server' },
        { wire: 'vercel', result: 'authentication' },
      ],
    })
    const failOpen = { site: 'relevance', reason: 'server' }
    expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
  })

  test('two servers that hang share the time that there is', TIMED, async () => {
    const [first, second] = [await systemOne(oldest), await vercel(oldest)]
    const { compact } = await start({
      ...withVercel(first, second),
      ...WITH_DEADLINE,
      PRECIS_DECIDE_TIMEOUT_MS: '60000',
      PRECIS_DECIDE_FALLBACK_TIMEOUT_MS: '60000',
    })
    first.setFault('hang')
    second.setFault('hang')
    const answer = await compact()
    expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
    expectFitting(sample.request, answer)
    expect(answer.relevance?.links).toMatchObject([{ result: 'deadline' }, { result: 'deadline' }])
    expect(second.requests).toHaveLength(1)
  })
})

describe('with rerank,systemone', () => {
  test('each is asked for what it answers', async () => {
    const reranker = await createRerankServer({ dialect: 'cohere', answer: () => 0.9 })
    const gate = await createSystemOneServer({ answer: () => 0.02 })
    closing.push(reranker.close, gate.close)
    const { service, compact } = await start({
      PRECIS_DECIDE_CHAIN: 'rerank,systemone',
      PRECIS_DECIDE_URL: reranker.url,
      PRECIS_DECIDE_API_KEY: RERANK_KEY,
      PRECIS_DECIDE_MODEL: RERANK_MODEL,
      PRECIS_DECIDE_DIALECT: 'cohere',
      PRECIS_DECIDE_FALLBACK_URL: gate.url,
      PRECIS_DECIDE_FALLBACK_API_KEY: SYSTEM_ONE_KEY,
    })
    expect((await compact()).relevance).toMatchObject({ wire: 'rerank', dropped: 0 })
    expect(gate.requests).toHaveLength(0)
    const check = await service.ask<{ reason: string }>('/summary-check', {
      ...sample.request,
      summary: GOOD_SUMMARY,
    })
    expect(check.reason).toBe('gate')
    expect(gate.requests).toHaveLength(1)
  })

  test('PRECIS_DECIDE_SITES keeps a wire from what it is not asked for', async () => {
    const server = await systemOne(oldest)
    const { service, compact } = await start({
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: server.url,
      PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      PRECIS_DECIDE_SITES: 'summary-gate',
    })
    const answer = await compact()
    expect(answer.relevance).toBeNull()
    expect(answer.stages.find(({ stage }) => stage === 'relevance')).toMatchObject({
      status: 'skipped',
      reason: 'no-decide-model',
    })
    expect(server.requests).toHaveLength(0)
    await service.ask('/summary-check', { ...sample.request, summary: GOOD_SUMMARY })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a decide model that hangs', () => {
  test('leaves the summariser half of the time', TIMED, async () => {
    const server = await systemOne(oldest)
    server.setFault('hang')
    const summarizer = await startSummarizerServer()
    closing.push(summarizer.close)
    summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
    const { compact } = await start({
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: server.url,
      PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      ...WITH_DEADLINE,
      // Twice this timeout is more than the whole deadline.
      PRECIS_DECIDE_TIMEOUT_MS: '5000',
      ...summarizerVariables('openai', summarizer, 2_000),
    })
    const answer = await compact()
    expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
    expectFitting(sample.request, answer)
    expect(answer.relevance).toMatchObject({ failOpen: 'deadline', requests: 1 })
    expect(answer.summary).toMatchObject({ accepted: true, rounds: 1 })
    expect(answer.stagesUsed).toEqual(['summarize'])
  })

  test(
    'is left alone after five requests, although its timeout is longer than they are',
    TIMED,
    async () => {
      const server = await systemOne(oldest)
      server.setFault('hang')
      const summarizer = await startSummarizerServer()
      closing.push(summarizer.close)
      const { service, compact } = await start({
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: server.url,
        PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
        PRECIS_DECIDE_TIMEOUT_MS: '5000',
        PRECIS_DECIDE_SITES: 'relevance',
        PRECIS_REQUEST_DEADLINE_MS: '2000',
        ...summarizerVariables('openai', summarizer, 2_000),
      })
      // A request counts that the server had half of its time for: the first of a service takes some of it.
      await compact({ options: { relevance: { enabled: false } } })
      for (let request = 0; request < 5; request += 1) {
        expect((await compact()).relevance).toMatchObject({ failOpen: 'deadline', requests: 1 })
      }
      expect((await compact()).relevance).toMatchObject({ failOpen: 'breaker-open', requests: 0 })
      const state = (await service.metrics()).sum('precis_decide_breaker_state')
      expect(state).toBe(2)
    },
  )
})
