/** A server whose limits are lower than documented: the packer learns, asks smaller, and remembers. */
import { afterEach, describe, expect, test } from 'vitest'
import { createRemoteDecider, type RemoteDeciderOptions } from '../../src/decide/decider.ts'
import { openaiDecisionsWire } from '../../src/decide/wires/openai-decisions.ts'
import { createRerankWire } from '../../src/decide/wires/rerank.ts'
import { systemOneWire } from '../../src/decide/wires/systemone.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import {
  createOpenAiDecisionsServer,
  OPENAI_DECISIONS_KEY,
} from '../helpers/decide-servers/openai-decisions-server.ts'
import { relevanceRequest } from '../helpers/decide-servers/relevance-request.ts'
import {
  createRerankServer,
  RERANK_KEY,
  RERANK_MODEL,
} from '../helpers/decide-servers/rerank-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
  type SystemOneServerOptions,
} from '../helpers/decide-servers/system-one-server.ts'
import { TIMED } from '../helpers/timed.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const MINUTE = 60_000

async function setUp(
  server: SystemOneServerOptions = {},
  options: Partial<RemoteDeciderOptions> = {},
) {
  let time = 0
  const started = await createSystemOneServer({ answer: () => 0.9, ...server })
  const decider = createRemoteDecider({
    wire: systemOneWire,
    url: started.url,
    apiKey: SYSTEM_ONE_KEY,
    model: 'jev-latest',
    countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 3),
    random: () => 0,
    parallelRequests: 1,
    now: () => performance.now() + time,
    ...options,
  })
  open.push(started, decider)
  const wait = (ms: number) => {
    time += ms
  }
  return { server: started, decider, wait }
}

const texts = (count: number, words = 180) =>
  Array.from({ length: count }, (_, index) => `${index} ${'lorem '.repeat(words)}`)
const idsOf = ({ requests }: DecideServer) =>
  requests.map(({ json }) => Object.keys((json as { questions: object }).questions))
const sizesOf = ({ requests }: DecideServer) => requests.map(({ text }) => text.length)

describe('a server that takes fewer tokens than documented', () => {
  test('is asked about everything in smaller requests, and each question once more at most', async () => {
    const { server, decider } = await setUp({ maxTokensLongest: 4_000 })
    const result = await decider.decide(relevanceRequest(texts(60)))
    expect(result).not.toHaveProperty('failure')
    expect(result.notAsked).toBe(0)
    expect([...result.answers.keys()]).toEqual(texts(60).map((_, index) => `m${index}`))
    expect(result.requests).toBe(server.requests.length)
    expect(result.requests).toBeLessThanOrEqual(8)
  })

  test('asks in the order of the questions, before and after it has learned', async () => {
    const { server, decider } = await setUp({ maxTokensLongest: 4_000 })
    await decider.decide(relevanceRequest(texts(60)))
    const learned = server.requests.length
    await decider.decide(relevanceRequest(texts(60)))
    const asked = idsOf(server).slice(learned).flat()
    expect(asked).toEqual(texts(60).map((_, index) => `m${index}`))
  })

  test('is not asked too much again: the next call begins with what it takes', async () => {
    const { server, decider } = await setUp({ maxTokensLongest: 4_000 })
    await decider.decide(relevanceRequest(texts(60)))
    const first = server.requests.length
    const again = await decider.decide(relevanceRequest(texts(60)))
    expect(again.answers.size).toBe(60)
    const [largest = 0] = sizesOf(server)
    for (const size of sizesOf(server).slice(first)) expect(size).toBeLessThan(largest / 2)
    expect(again.requests).toBeLessThanOrEqual(first)
    // Nothing was refused: as many requests as it takes to carry all answers.
    expect(idsOf(server).slice(first).flat()).toHaveLength(60)
  })

  test('is asked in requests of half the size by callers who learn it at the same time', async () => {
    const { server, decider } = await setUp({ maxTokensLongest: 12_000 })
    const call = () => decider.decide(relevanceRequest(texts(60)))
    const results = await Promise.all(Array.from({ length: 8 }, call))
    for (const result of results) expect(result.answers.size).toBe(60)
    const [largest = 0] = sizesOf(server)
    const before = server.requests.length
    await call()
    expect(sizesOf(server)[before]).toBeGreaterThan(largest / 4)
  })

  test('is tried with more after an hour, since it may have grown', async () => {
    const { server, decider, wait } = await setUp({ maxTokensLongest: 4_000 })
    await decider.decide(relevanceRequest(texts(60)))
    const [largest] = sizesOf(server)
    wait(60 * MINUTE)
    const before = server.requests.length
    await decider.decide(relevanceRequest(texts(60)))
    expect(sizesOf(server)[before]).toBe(largest)
  })

  test('keeps later requests of the same call from being sent too large', async () => {
    const { server, decider } = await setUp(
      { maxTokensLongest: 4_000 },
      { limits: { maxQuestionsPerRequest: 30 } },
    )
    const result = await decider.decide(relevanceRequest(texts(60)))
    expect(result.answers.size).toBe(60)
    // The first thirty are refused; the other thirty are never sent at that size.
    const [first = 0, ...later] = sizesOf(server)
    expect(idsOf(server)[0]).toHaveLength(30)
    expect(Math.max(...later)).toBeLessThan(first * 0.7)
    expect(
      idsOf(server)
        .flat()
        .filter((id) => id === 'm59'),
    ).toHaveLength(1)
  })

  test('that refuses everything costs four requests, and one of the least size the next time', async () => {
    const { server, decider } = await setUp()
    server.setFault({ status: 413 })
    const first = await decider.decide(relevanceRequest(texts(60)))
    expect(first).toMatchObject({ failure: 'max-tokens-exceeded', requests: 4 })
    expect(first.answers.size).toBe(0)
    expect(first.notAsked).toBeGreaterThan(30)
    const [largest = 0] = sizesOf(server)
    await decider.decide(relevanceRequest(texts(60)))
    for (const size of sizesOf(server).slice(4)) expect(size).toBeLessThan(largest / 4)
  })

  test('keeps and counts what fits into no request', async () => {
    const { decider } = await setUp(
      { maxTokensLongest: 900, maxTokensTotal: 900 },
      { limits: { maxStateAndLongestQuestionTokens: 560, maxTotalTokens: 560 } },
    )
    const result = await decider.decide(
      relevanceRequest(['short', `${'寿限無'.repeat(400)}`, 'short too']),
    )
    expect([...result.answers.keys()]).toEqual(['m0', 'm2'])
    expect(result.notAsked).toBe(1)
    expect(result).not.toHaveProperty('failure')
  })

  test('ends by the deadline while it is being learned', TIMED, async () => {
    const { server, decider } = await setUp({}, { deadlineMs: 1_000, timeoutMs: 60_000 })
    server.faultNext('max-tokens', 'hang')
    const started = performance.now()
    const result = await decider.decide(relevanceRequest(texts(60)))
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(result).toMatchObject({ failure: 'deadline', requests: 2 })
  })
})

describe('the number of questions of one request', () => {
  const many = Array.from({ length: 300 }, (_, index) => `text ${index}`)

  test('is what a LiteLLM proxy takes, unless a deployment says more', async () => {
    for (const [limits, requests] of [
      [{}, 3],
      [{ maxQuestionsPerRequest: 300 }, 1],
    ] as const) {
      const server = await createOpenAiDecisionsServer(requests === 3 ? { maxQuestions: 128 } : {})
      const decider = createRemoteDecider({
        wire: openaiDecisionsWire,
        url: server.url,
        apiKey: OPENAI_DECISIONS_KEY,
        model: 'gpt-6-luna',
        countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 3),
        limits,
      })
      open.push(server, decider)
      const result = await decider.decide(relevanceRequest(many))
      expect(result).toMatchObject({ requests, notAsked: 0 })
      expect(result.answers.size).toBe(300)
    }
  })
})

describe('a server that takes fewer texts than it should', () => {
  test('is asked for fewer at a time: TEI says 413 to a batch of 33', async () => {
    const server = await createRerankServer({ dialect: 'tei' })
    const decider = createRemoteDecider({
      wire: createRerankWire({ dialect: 'tei' }),
      url: server.url,
      apiKey: RERANK_KEY,
      model: RERANK_MODEL,
      countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 3),
      // As a deployment would set it that knows only its larger sibling.
      limits: { maxQuestionsPerRequest: 64 },
    })
    open.push(server, decider)
    const result = await decider.decide(relevanceRequest(texts(64, 2)))
    expect(result).not.toHaveProperty('failure')
    expect(result.answers.size).toBe(64)
    const again = await decider.decide(relevanceRequest(texts(64, 2)))
    expect(again).toMatchObject({ requests: 2, notAsked: 0 })
  })
})
