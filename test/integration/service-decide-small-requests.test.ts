/** P7 over HTTP for the wires that judge in many small requests: 200 in time, whatever the server does. */
import { afterEach, describe, expect, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import { type Fault, isSilent } from '../helpers/decide-servers/fault.ts'
import { SMALL_REQUEST_CASES } from '../helpers/decide-servers/wire-cases.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import {
  type CompactAnswer,
  expectFitting,
  expectPositional,
  expectReason,
} from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const SECRET = 'narwhal'
const DEADLINE_MS = 3_000
/** One that answers is waited for, on however busy a machine. */
const TIMEOUT_MS = { ofSilence: 400, ofAnswers: 20_000 }
const ORDER = { relevance: { order: 'oldest-first' } }

const FAULTS: readonly [what: string, fault: Fault, reason: DecideFailure][] = [
  ['hangs', 'hang', 'timeout'],
  ['answers a web page', 'web-page', 'malformed-answer'],
  ['answers without answers', 'no-answers', 'malformed-answer'],
  ['writes NaN, which is not JSON', 'nan', 'malformed-answer'],
  ['refuses the key', { status: 401 }, 'authentication'],
  ['refuses the size', 'max-tokens', 'max-tokens-exceeded'],
  ['fails', { status: 500 }, 'server'],
]

/** Jina, Infinity and vLLM answer in the shape of Cohere. */
const CASES = SMALL_REQUEST_CASES.filter(([name]) => !/jina|infinity|vllm/.test(name))

describe.each(CASES)('with %s', (_, { start, variables }) => {
  const setUp = async (environment: Readonly<Record<string, string>> = {}) => {
    const sample = sampleConversation('openai-chat', { secret: SECRET })
    const server = await start({ ofId: () => 0.01, ofText: () => 0.01 })
    const service = await startService({
      ...variables,
      PRECIS_DECIDE_URL: server.url,
      PRECIS_DECIDE_TIMEOUT_MS: String(TIMEOUT_MS.ofAnswers),
      ...environment,
    })
    closing.push(server.close, service.close)
    const body = { ...sample.request, targetTokens: 2_000, options: ORDER }
    return { sample, server, service, compact: () => service.ask<CompactAnswer>('/compact', body) }
  }

  test('a server that is well has half of the messages dropped', async () => {
    const { sample, compact } = await setUp()
    const answer = await compact()
    expectFitting(sample.request, answer)
    expect(answer.relevance).toMatchObject({
      asked: sample.eligible.length,
      dropped: Math.floor(sample.eligible.length / 2),
      capHit: true,
    })
  })

  test.each(FAULTS)('a server that %s is done without', TIMED, async (_, fault, reason) => {
    const { sample, server, service, compact } = await setUp({
      PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
      ...(isSilent(fault) && { PRECIS_DECIDE_TIMEOUT_MS: String(TIMEOUT_MS.ofSilence) }),
    })
    server.setFault(fault)
    const started = performance.now()
    const answer = await compact()
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS)
    expectFitting(sample.request, answer)
    expectPositional(answer)
    expect(answer.relevance).toMatchObject({ answered: 0, dropped: 0 })
    const said = expectReason(answer.relevance?.failOpen, reason)
    const metrics = await service.metrics()
    const labels = { site: 'relevance', reason: said }
    expect(metrics.sum('precis_fail_open_total', labels)).toBe(1)
    expect(service.logText()).not.toContain(SECRET)
  })

  test('one answer that is none keeps its message, and the others are judged', async () => {
    const { sample, server, compact } = await setUp()
    server.faultNext('string')
    const answer = await compact()
    expect(answer.relevance).toMatchObject({ answered: sample.eligible.length - 1 })
    expect(answer.relevance).not.toHaveProperty('failOpen')
    const dropped = answer.actions.filter(({ stage }) => stage === 'relevance')
    expect(dropped.length).toBeGreaterThan(0)
    expect(dropped.map(({ index }) => index)).not.toContain(sample.eligible[0])
  })
})
