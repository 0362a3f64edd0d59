/** P7 over HTTP: whatever a decision server does, the caller gets 200 in time and learns of it. */
import { afterEach, describe, expect, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import type { Fault } from '../helpers/decide-servers/fault.ts'
import { DECIDE_WIRES, decideVariables, type RemoteWire, WIRES } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import {
  type CompactAnswer,
  expectFitting,
  expectPositional,
  expectReason,
  stageOf,
} from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

const DEADLINE_MS = 3_000
/** Two attempts of the short one and the longest pause between them are well within the deadline. */
const TIMEOUT_MS = { ofSilence: 400, ofAnswers: 2_000 }
const TARGET_TOKENS = 2_000
const SECRET = 'narwhal'
/** What the faulty servers write in their bodies. */
const SERVER_WORDS = ['sign in', 'was refused', 'Entity', 'Field required', 'padding', 'input_tok']

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface SetUp {
  readonly server: DecideServer
  readonly service: RunningService
  readonly sample: ReturnType<typeof sampleConversation>
  readonly compact: () => Promise<CompactAnswer & { milliseconds: number }>
}

/** The server is sure that the oldest eligible message is not needed, and every other is. */
async function setUp(wire: RemoteWire, timeoutMs = TIMEOUT_MS.ofAnswers): Promise<SetUp> {
  const { format, start } = WIRES[wire]
  const sample = sampleConversation(format, { secret: SECRET })
  const server = await start((id) => (id === `msg__${sample.eligible[0]}` ? 0.01 : 0.9))
  const service = await startService({
    ...decideVariables(wire, server.url, timeoutMs),
    PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
  })
  closing.push(server.close, service.close)
  const body = { ...sample.request, targetTokens: TARGET_TOKENS }
  return { server, service, sample, compact: () => service.ask<CompactAnswer>('/compact', body) }
}

const FAULTS: readonly [what: string, fault: Fault, reason: DecideFailure][] = [
  ['hangs', 'hang', 'timeout'],
  ['drips its answer', 'drip', 'timeout'],
  ['resets the connection', 'reset', 'network'],
  ['cuts its answer off', 'cut-off', 'network'],
  ['answers bytes that are no text', 'garbage', 'malformed-answer'],
  ['answers a web page', 'web-page', 'malformed-answer'],
  ['answers nothing', 'empty', 'malformed-answer'],
  ['answers half of its JSON', 'truncated-json', 'malformed-answer'],
  ['answers more than anybody reads', 'huge', 'malformed-answer'],
  ['answers without answers', 'no-answers', 'malformed-answer'],
  ['writes NaN, which is not JSON', 'nan', 'malformed-answer'],
  ['refuses the key with 401', { status: 401 }, 'authentication'],
  ['refuses the account with 403', { status: 403 }, 'authentication'],
  ['refuses the size with 413', { status: 413 }, 'max-tokens-exceeded'],
  ['refuses the tokens with 400', 'max-tokens', 'max-tokens-exceeded'],
  ['echoes the conversation in a 422', { status: 422 }, 'invalid-request'],
  ['limits the rate with 429', { status: 429 }, 'rate-limit'],
  [
    'wants to be left alone for a minute',
    { status: 429, headers: { 'retry-after': '60' } },
    'rate-limit',
  ],
  ['fails with 500', { status: 500 }, 'server'],
  ['is overloaded with 529', { status: 529 }, 'overloaded'],
]

const SILENT: readonly Fault[] = ['hang', 'drip']

describe.each(DECIDE_WIRES)('with a %s server', (wire) => {
  test('that is well, the message it is sure about goes, and nothing fails open', async () => {
    const { service, sample, compact } = await setUp(wire)
    const answer = await compact()
    expectFitting(sample.request, answer)
    expect(answer.relevance).toMatchObject({ wire, asked: sample.eligible.length, dropped: 1 })
    expect(answer.relevance).not.toHaveProperty('failOpen')
    expect(answer.actions.filter(({ stage }) => stage === 'relevance')).toMatchObject([
      { index: sample.eligible[0], action: 'dropped', probability: 0.01 },
    ])
    const metrics = await service.metrics()
    expect(metrics.sum('precis_fail_open_total')).toBe(0)
    expect(metrics.sum('precis_messages_dropped_total', { stage: 'relevance' })).toBe(1)
  })

  test.each(FAULTS)(
    'that %s, the conversation is compacted without it',
    TIMED,
    async (_, fault, expected) => {
      const silent = SILENT.includes(fault)
      const { server, service, sample, compact } = await setUp(
        wire,
        silent ? TIMEOUT_MS.ofSilence : TIMEOUT_MS.ofAnswers,
      )
      server.setFault(fault)
      const answer = await compact()

      expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
      expectFitting(sample.request, answer)
      expectPositional(answer)
      expect(answer.relevance).toMatchObject({ wire, answered: 0, dropped: 0 })
      const reason = expectReason(answer.relevance?.failOpen, expected)
      expect(stageOf(answer, 'relevance')).toMatchObject({ status: 'failed', reason })

      const metrics = await service.metrics()
      expect(metrics.by('precis_fail_open_total', 'site')).toEqual({ relevance: 1 })
      expect(metrics.by('precis_fail_open_total', 'reason')).toEqual({ [reason]: 1 })
      expect(metrics.by('precis_decide_requests_total', 'result')).toEqual({ [reason]: 1 })
      expect(metrics.sum('precis_messages_dropped_total', { stage: 'relevance' })).toBe(0)

      expect(server.requests[0]?.text).toContain(SECRET)
      expect(service.logText()).toContain('"status":200')
      for (const word of [SECRET, WIRES[wire].key, ...SERVER_WORDS]) {
        expect(service.logText()).not.toContain(word)
      }
    },
  )

  test.each(['null', 'string', 'above-one', 'below-zero', 'missing-ids', 'wrong-types'] as const)(
    'that spoils one answer (%s), that message stays and the others are judged (P6)',
    async (fault) => {
      const { server, service, sample, compact } = await setUp(wire)
      server.setFault(fault)
      const answer = await compact()
      expectFitting(sample.request, answer)
      expectPositional(answer)
      const asked = sample.eligible.length
      expect(answer.relevance).toMatchObject({ asked, answered: asked - 1, dropped: 0 })
      const metrics = await service.metrics()
      expect(metrics.sum('precis_decide_requests_total', { result: 'answered' })).toBe(1)
      expect(metrics.sum('precis_messages_dropped_total', { stage: 'relevance' })).toBe(0)
    },
  )

  test('that is not there, the conversation is compacted without it', async () => {
    const { server, service, sample, compact } = await setUp(wire)
    await server.close()
    const answer = await compact()
    expectFitting(sample.request, answer)
    expectPositional(answer)
    expect(answer.relevance).toMatchObject({ failOpen: 'network', requests: 2 })
    const failOpen = { site: 'relevance', reason: 'network' }
    expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
  })

  test(
    'that would take longer than the request may, the deadline of the request ends it',
    TIMED,
    async () => {
      const { server, service, sample, compact } = await setUp(wire, 600_000)
      server.setFault('hang')
      const answer = await compact()
      expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
      expectFitting(sample.request, answer)
      expectPositional(answer)
      expect(answer.relevance).toMatchObject({ failOpen: 'deadline', requests: 1 })
      const failOpen = { site: 'relevance', reason: 'deadline' }
      expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
    },
  )
})
