/** POST /summary-check over HTTP: the checks, the gate, and its direction (P8). */
import { afterEach, describe, expect, it, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { type Fault, isSilent } from '../helpers/decide-servers/fault.ts'
import { DECIDE_WIRES, decideVariables, type RemoteWire, WIRES } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { expectReason, type SummaryCheckAnswer } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { GOOD_SUMMARY } from '../helpers/summarizer-variables.ts'

const SECRET = 'quokka'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface SetUp {
  readonly gate: DecideServer
  readonly service: RunningService
  readonly check: (members?: object) => Promise<SummaryCheckAnswer>
}

async function setUp(
  wire: RemoteWire,
  { preserves = 0.95, isRefusal = 0.02, timeoutMs = 2_000 } = {},
): Promise<SetUp> {
  const gate = await WIRES[wire].start((id) => (id === 'preserves' ? preserves : isRefusal))
  const service = await startService(decideVariables(wire, gate.url, timeoutMs))
  closing.push(gate.close, service.close)
  const { request } = sampleConversation(WIRES[wire].format, { secret: SECRET })
  const check = (members: object = {}) =>
    service.ask<SummaryCheckAnswer>('/summary-check', {
      ...request,
      summary: GOOD_SUMMARY,
      ...members,
    })
  return { gate, service, check }
}

describe.each(DECIDE_WIRES)('with a %s server as the gate,', (wire) => {
  it('a summary that keeps everything is accepted, with both verdicts', async () => {
    const { gate, service, check } = await setUp(wire)
    expect(await check()).toMatchObject({
      accepted: true,
      reason: null,
      preserves: { probability: 0.95, confidence: expect.closeTo(0.9, 5) },
      isRefusal: { probability: 0.02, confidence: expect.closeTo(0.96, 5) },
      failOpen: null,
      checks: {
        fault: null,
        summaryTokens: expect.any(Number),
        replacedTokens: expect.any(Number),
      },
      warnings: [],
    })
    expect(gate.requests).toHaveLength(1)
    expect(gate.requests[0]?.text).toContain('Primary Request and Intent')
    expect(gate.requests[0]?.text).toContain(SECRET)
    const metrics = await service.metrics()
    expect(metrics.sum('precis_confidence_count', { question: 'preserves' })).toBe(1)
    expect(metrics.sum('precis_confidence_count', { question: 'is-refusal' })).toBe(1)
    expect(metrics.sum('precis_fail_open_total')).toBe(0)
  })

  it.each([
    ['a loss, surely', { preserves: 0.1 }, false],
    ['a refusal, surely', { isRefusal: 0.9 }, false],
    ['perhaps a loss', { preserves: 0.3 }, true],
    ['perhaps a refusal', { isRefusal: 0.7 }, true],
  ] as const)('a summary that it calls %s is accepted or not', async (_, verdicts, accepted) => {
    const { check } = await setUp(wire, verdicts)
    const answer = await check()
    expect(answer).toMatchObject({ accepted, reason: accepted ? null : 'gate', failOpen: null })
  })

  it('the caller may set the bar', async () => {
    const { check } = await setUp(wire, { preserves: 0.3 })
    expect(await check({ minRejectConfidence: 0.4 })).toMatchObject({ accepted: false })
    expect(await check({ minRejectConfidence: 0.5 })).toMatchObject({ accepted: true })
  })

  it.each([
    ['empty', ' \n'],
    ['refusal', "I'm sorry, I cannot summarise this."],
    ['not-smaller', 'Every word of it, and more. '.repeat(2_000)],
  ])('a summary is refused as %s without asking it', async (fault, summary) => {
    const { gate, check } = await setUp(wire)
    const answer = await check({ summary })
    expect(answer).toMatchObject({ accepted: false, reason: fault, checks: { fault } })
    expect(answer.failOpen).toBeNull()
    expect(gate.requests).toHaveLength(0)
  })

  const FAULTS: readonly [Fault, DecideFailure][] = [
    ['hang', 'timeout'],
    ['drip', 'timeout'],
    ['reset', 'network'],
    ['cut-off', 'network'],
    ['garbage', 'malformed-answer'],
    ['empty', 'malformed-answer'],
    ['huge', 'malformed-answer'],
    ['nan', 'malformed-answer'],
    [{ status: 403 }, 'authentication'],
    [{ status: 413 }, 'max-tokens-exceeded'],
    [{ status: 422 }, 'invalid-request'],
    [{ status: 429 }, 'rate-limit'],
    [{ status: 500 }, 'server'],
    [{ status: 529 }, 'overloaded'],
  ]

  test.each(FAULTS)('the summary is accepted when it answers with %j', async (fault, expected) => {
    const { gate, service, check } = await setUp(wire, {
      timeoutMs: isSilent(fault) ? 400 : 20_000,
    })
    gate.setFault(fault)
    const answer = await check()
    expect(answer).toMatchObject({ accepted: true, reason: null })
    expect(answer).not.toHaveProperty('preserves')
    const reason = expectReason(answer.failOpen, expected)
    const failOpen = { site: 'summary-gate', reason }
    expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
    expect(service.logText()).toContain('"status":200')
    expect(service.logText()).not.toContain(SECRET)
  })

  it('half an answer still rejects', async () => {
    const { gate, check } = await setUp(wire, { preserves: 0.01, isRefusal: 0.99 })
    gate.setFault('missing-ids')
    const answer = await check()
    expect(answer).toMatchObject({ accepted: false, isRefusal: { probability: 0.99 } })
    expect(answer).not.toHaveProperty('preserves')
  })
})

test.each([
  ['none', 'no-decide-model'],
  ['embedded', 'no-decide-model'],
] as const)('with the decide model %s it is accepted as %s', async (wire, failOpen) => {
  const service = await startService({ PRECIS_DECIDE_WIRE: wire })
  closing.push(service.close)
  const { request } = sampleConversation('neurolink')
  const body = { ...request, summary: GOOD_SUMMARY }
  expect(await service.ask<SummaryCheckAnswer>('/summary-check', body)).toMatchObject({
    accepted: true,
    failOpen,
    checks: { fault: null },
  })
})
