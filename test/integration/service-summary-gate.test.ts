/** P8 over HTTP: only a confident rejection refuses a summary; a gate that fails accepts it. */
import { afterEach, describe, expect, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import type { Fault } from '../helpers/decide-servers/fault.ts'
import { DECIDE_WIRES, decideVariables, type RemoteWire, WIRES } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting, expectReason } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'
import { TIMED } from '../helpers/timed.ts'

const DEADLINE_MS = 4_000
const SECRET = 'axolotl'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Verdicts {
  readonly preserves: number
  readonly isRefusal: number
}
const GOOD: Verdicts = { preserves: 0.95, isRefusal: 0.02 }

interface SetUp {
  readonly gate: DecideServer
  readonly service: RunningService
  readonly sample: ReturnType<typeof sampleConversation>
  readonly compact: (options?: object) => Promise<CompactAnswer & { milliseconds: number }>
}

/** A summariser that does its work, and a gate; relevance asks nothing, so that the gate's is the only call. */
async function setUp(
  wire: RemoteWire,
  { preserves, isRefusal }: Verdicts = GOOD,
  timeoutMs = 2_000,
): Promise<SetUp> {
  const gate = await WIRES[wire].start((id) => (id === 'preserves' ? preserves : isRefusal))
  const summarizer = await startSummarizerServer()
  summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
  const service = await startService({
    ...decideVariables(wire, gate.url, timeoutMs),
    ...summarizerVariables('openai', summarizer, 2_000),
    PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    PRECIS_OPTION_RELEVANCE_ENABLED: 'false',
  })
  closing.push(gate.close, summarizer.close, service.close)
  const sample = sampleConversation(WIRES[wire].format, { secret: SECRET })
  const compact = (options: object = {}) => {
    const body = { ...sample.request, targetTokens: 2_000, options }
    return service.ask<CompactAnswer>('/compact', body)
  }
  return { gate, service, sample, compact }
}

const VERDICTS: readonly [what: string, verdicts: Verdicts, accepted: boolean][] = [
  ['good', GOOD, true],
  ['a loss, surely', { preserves: 0.05, isRefusal: 0.02 }, false],
  ['a refusal, surely', { preserves: 0.95, isRefusal: 0.97 }, false],
  ['a loss at the bar', { preserves: 0.2, isRefusal: 0.02 }, false],
  ['a loss just below the bar', { preserves: 0.21, isRefusal: 0.02 }, true],
  ['a refusal just below the bar', { preserves: 0.95, isRefusal: 0.79 }, true],
  ['a coin-flip', { preserves: 0.5, isRefusal: 0.5 }, true],
]

const FAULTS: readonly [what: string, fault: Fault, reason: DecideFailure][] = [
  ['hangs', 'hang', 'timeout'],
  ['drips', 'drip', 'timeout'],
  ['resets the connection', 'reset', 'network'],
  ['answers a web page', 'web-page', 'malformed-answer'],
  ['answers nothing', 'empty', 'malformed-answer'],
  ['answers half of its JSON', 'truncated-json', 'malformed-answer'],
  ['answers without end', 'huge', 'malformed-answer'],
  ['writes NaN', 'nan', 'malformed-answer'],
  ['answers 401', { status: 401 }, 'authentication'],
  ['answers 403', { status: 403 }, 'authentication'],
  ['answers 413', { status: 413 }, 'max-tokens-exceeded'],
  ['answers 422', { status: 422 }, 'invalid-request'],
  ['answers 429', { status: 429 }, 'rate-limit'],
  ['answers 500', { status: 500 }, 'server'],
  ['answers 529', { status: 529 }, 'overloaded'],
]

describe.each(DECIDE_WIRES)('with a %s server as the gate', (wire) => {
  test.each(VERDICTS)(
    'a summary that it calls %s is accepted: $2',
    async (_, verdicts, accepted) => {
      const { service, sample, compact } = await setUp(wire, verdicts)
      const answer = await compact()
      expectFitting(sample.request, answer)
      expect(answer.stagesUsed).toEqual([accepted ? 'summarize' : 'truncate'])
      expect(answer.summary).toMatchObject({
        accepted,
        gate: {
          accepted,
          preserves: { probability: verdicts.preserves },
          isRefusal: { probability: verdicts.isRefusal },
        },
      })
      expect(answer.summary?.gate).not.toHaveProperty('failOpen')
      expect(answer.summary?.reason).toBe(accepted ? undefined : 'gate')
      const metrics = await service.metrics()
      const verdict = accepted ? 'accepted' : 'rejected-by-gate'
      expect(metrics.by('precis_summaries_total', 'verdict')).toEqual({ [verdict]: 1 })
      expect(metrics.sum('precis_fail_open_total')).toBe(0)
      expect(metrics.sum('precis_confidence_count', { question: 'preserves' })).toBe(1)
      expect(metrics.sum('precis_confidence_count', { question: 'is-refusal' })).toBe(1)
    },
  )

  test.each(FAULTS)('that %s, the summary is not lost', TIMED, async (_, fault, expected) => {
    const silent = fault === 'hang' || fault === 'drip'
    const { gate, service, sample, compact } = await setUp(wire, GOOD, silent ? 400 : 2_000)
    gate.setFault(fault)
    const answer = await compact()
    expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
    expectFitting(sample.request, answer)
    expect(answer.stagesUsed).toEqual(['summarize'])
    expect(answer.summary).toMatchObject({ accepted: true, gate: { accepted: true } })
    const reason = expectReason(answer.summary?.gate?.failOpen, expected)
    const metrics = await service.metrics()
    expect(metrics.by('precis_fail_open_total', 'site')).toEqual({ 'summary-gate': 1 })
    expect(metrics.by('precis_fail_open_total', 'reason')).toEqual({ [reason]: 1 })
    expect(metrics.by('precis_summaries_total', 'verdict')).toEqual({ 'accepted-unchecked': 1 })
    expect(service.logText()).toContain('"status":200')
    expect(service.logText()).not.toContain(SECRET)
  })

  test.each(['null', 'string', 'above-one', 'below-zero', 'missing-ids', 'wrong-types'] as const)(
    'that spoils one of its two answers (%s), the other still counts',
    async (fault) => {
      const rejecting = await setUp(wire, { preserves: 0.01, isRefusal: 0.99 })
      rejecting.gate.setFault(fault)
      const answer = await rejecting.compact()
      expect(answer.summary).toMatchObject({ accepted: false, reason: 'gate' })
      expect(answer.summary?.gate).not.toHaveProperty('preserves')
      expect(answer.summary?.gate).toMatchObject({ isRefusal: { probability: 0.99 } })
    },
  )

  test('the caller may set the bar', async () => {
    const { compact } = await setUp(wire, { preserves: 0.3, isRefusal: 0.02 })
    expect((await compact()).summary).toMatchObject({ accepted: true })
    expect((await compact({ summarize: { minRejectConfidence: 0.4 } })).summary).toMatchObject({
      accepted: false,
      reason: 'gate',
    })
  })
})

test('without a model that knows the question, the summary is accepted and said to be unchecked', async () => {
  const summarizer = await startSummarizerServer()
  summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
  const { request } = sampleConversation('openai-chat')
  for (const [wire, failOpen] of [
    ['none', 'no-decide-model'],
    ['embedded', 'no-decide-model'],
  ] as const) {
    const service = await startService({
      ...summarizerVariables('openai', summarizer, 2_000),
      PRECIS_DECIDE_WIRE: wire,
      PRECIS_OPTION_RELEVANCE_ENABLED: 'false',
    })
    closing.push(service.close)
    const answer = await service.ask<CompactAnswer>('/compact', { ...request, targetTokens: 2_000 })
    expectFitting(request, answer)
    expect(answer.summary).toMatchObject({ accepted: true, gate: { accepted: true, failOpen } })
    const verdicts = (await service.metrics()).by('precis_summaries_total', 'verdict')
    expect(verdicts).toEqual({ 'accepted-unchecked': 1 })
  }
  closing.push(summarizer.close)
})
