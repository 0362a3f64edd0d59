/** POST /budget over HTTP: the arithmetic, and the scope question with its one direction (P9). */
import { afterEach, describe, expect, it, test } from 'vitest'
import type { DecideFailure } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { type Fault, isSilent } from '../helpers/decide-servers/fault.ts'
import type { TestAnswer } from '../helpers/decide-servers/validation.ts'
import { DECIDE_WIRES, decideVariables, type RemoteWire, WIRES } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type BudgetAnswer, expectReason } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(environment: Readonly<Record<string, string>>): Promise<RunningService> {
  const service = await startService(environment)
  closing.push(service.close)
  return service
}

async function startWith(
  wire: RemoteWire,
  scope: TestAnswer,
  timeoutMs = 2_000,
): Promise<{ server: DecideServer; service: RunningService }> {
  const server = await WIRES[wire].start(() => scope)
  closing.push(server.close)
  return { server, service: await start(decideVariables(wire, server.url, timeoutMs)) }
}

const SECRET = 'capybara'
const FIELDS = { contextWindow: 100_000, maxOutputTokens: 20_000 }
const BODY = { ...FIELDS, currentRequest: `Rename the ${SECRET}.` }
const ask = (service: RunningService, body: object = BODY) =>
  service.ask<BudgetAnswer>('/budget', body)

/** Probabilities of the four levels, low to high, and the confidence that they come to. */
const LEVELS = {
  'current-message': [1, 0, 0, 0],
  'recent-turns': [0, 1, 0, 0],
  'full-conversation': [0, 0, 1, 0],
  everything: [0, 0, 0, 1],
} as const

describe('the arithmetic', () => {
  it('can be done by hand, each number with its source', async () => {
    const service = await start({ PRECIS_DECIDE_WIRE: 'none' })
    const answer = await ask(service, {
      ...FIELDS,
      files: [{ name: 'a.ts', tokens: 1_000 }, 'hello world', { text: 'hello world' }],
    })
    expect(answer).toMatchObject({
      contextWindow: { value: 100_000, source: 'request' },
      outputReserve: { value: 20_000, source: 'request' },
      available: { value: 80_000, source: 'computed' },
      overhead: {
        instructions: { value: 0, source: 'counted' },
        currentRequest: { value: 0, source: 'counted' },
        tools: { value: 0, source: 'counted' },
        files: { value: 1_004, source: 'computed' },
        total: { value: 1_004, source: 'computed' },
      },
      history: { value: 0, source: 'counted' },
      compactionThreshold: { value: 0.8, source: 'default' },
      safetyFactor: { value: 0.95, source: 'default' },
      historyBudget: { value: Math.floor((80_000 - 1_004) * 0.95), source: 'computed' },
      trigger: { value: 64_000, source: 'computed' },
      target: { value: 64_000 - 1_004, source: 'computed' },
      shouldCompact: false,
      scope: null,
      format: null,
      warnings: [],
    })
  })

  it('counts what is posted, and says when it is too much', async () => {
    const service = await start({ PRECIS_DECIDE_WIRE: 'none' })
    const { request } = sampleConversation('anthropic-messages')
    const tools = [{ name: 'read', input_schema: { type: 'object' } }]
    const roomy = await ask(service, { ...request, tools, ...FIELDS })
    expect(roomy).toMatchObject({ format: 'anthropic-messages', shouldCompact: false })
    const { instructions, tools: toolTokens, currentRequest } = roomy.overhead
    for (const { value, source } of [instructions, toolTokens, currentRequest, roomy.history]) {
      expect(value).toBeGreaterThan(10)
      expect(source).toBe(roomy.tokenizer.estimated ? 'estimated' : 'counted')
    }
    const full = await ask(service, { ...request, contextWindow: 8_000, maxOutputTokens: 2_000 })
    expect(full.shouldCompact).toBe(true)
    expect(full.usageRatio).toBeGreaterThan(0.8)
  })

  it('takes window and reserve from the model, or from the configuration, and warns of a guess', async () => {
    const service = await start({
      PRECIS_DECIDE_WIRE: 'none',
      PRECIS_MODEL_WINDOWS:
        '{"house-model":{"contextWindow":50000},"terse-model":{"contextWindow":50000,"maxOutputTokens":1000}}',
    })
    const windowOf = async (model: string) => (await ask(service, { model })).contextWindow
    expect(await windowOf('house-model')).toEqual({ value: 50_000, source: 'configuration' })
    const reserveOf = async (model: string, fields = {}) =>
      (await ask(service, { model, ...fields })).outputReserve
    expect(await reserveOf('terse-model')).toEqual({ value: 1_000, source: 'configuration' })
    expect(await reserveOf('house-model')).toEqual({ value: 17_500, source: 'default' })
    const given = { maxOutputTokens: 2_000 }
    expect(await reserveOf('terse-model', given)).toEqual({ value: 2_000, source: 'request' })
    expect(await windowOf('gpt-4o')).toMatchObject({ value: 128_000 })
    const unknown = await ask(service, { model: 'nobody-knows-it' })
    expect(unknown.contextWindow.source).toBe('default')
    expect(unknown.warnings).toMatchObject([{ code: 'unknown-context-window', pointer: '/model' }])
  })
})

describe.each(DECIDE_WIRES)('the scope of a request, asked of a %s server,', (wire) => {
  it.each([
    ['current-message', 0.45],
    ['recent-turns', 0.6],
    ['full-conversation', 0.75],
  ] as const)('%s lowers the threshold to %d', async (scope, threshold) => {
    const { server, service } = await startWith(wire, LEVELS[scope])
    const answer = await ask(service)
    expect(answer.scope).toMatchObject({ scope, threshold, confidence: 1, used: true, wire })
    expect(answer.compactionThreshold).toEqual({ value: threshold, source: 'scope' })
    expect(answer.trigger.value).toBe(80_000 * threshold)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.text).toContain(SECRET)
    const metrics = await service.metrics()
    expect(metrics.sum('precis_confidence_count', { question: 'context-scope' })).toBe(1)
    expect(metrics.sum('precis_fail_open_total')).toBe(0)
  })

  it('everything leaves the threshold at the default, and never above it', async () => {
    const { service } = await startWith(wire, LEVELS.everything)
    const answer = await ask(service)
    expect(answer.scope).toMatchObject({ scope: 'everything', threshold: 0.8, used: false })
    expect(answer.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  })

  it.each([
    ['counts at a confidence of one half', [0.5, 0.5, 0, 0], 0.5, true],
    ['does not count just below it', [0.495, 0.495, 0.01, 0], 0.485, false],
    ['does not count where all levels are as likely', [0.25, 0.25, 0.25, 0.25], 0, false],
  ] as const)('%s', async (_, probabilities, confidence, used) => {
    const { service } = await startWith(wire, probabilities)
    const answer = await ask(service)
    expect(answer.scope?.confidence).toBeCloseTo(confidence, 5)
    expect(answer.scope?.used).toBe(used)
    expect(answer.compactionThreshold.source).toBe(used ? 'scope' : 'default')
  })

  it('is not asked where the caller has set a threshold, which wins', async () => {
    const { server, service } = await startWith(wire, LEVELS['current-message'])
    const lower = await ask(service, { ...BODY, compactionThreshold: 0.7 })
    expect(lower.compactionThreshold).toEqual({ value: 0.7, source: 'request' })
    const higher = await ask(service, { ...BODY, compactionThreshold: 0.95 })
    expect(higher.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
    expect(higher.warnings).toMatchObject([{ code: 'threshold-lowered' }])
    expect([lower.scope, higher.scope]).toEqual([null, null])
    expect(server.requests).toHaveLength(0)
  })

  it('is asked about the last user message where no request is named, and not without one', async () => {
    const { server, service } = await startWith(wire, LEVELS['recent-turns'])
    const { request } = sampleConversation(WIRES[wire].format)
    expect((await ask(service, { ...request, ...FIELDS })).scope).toMatchObject({ used: true })
    expect(server.requests[0]?.text).toContain('recent 5')
    expect((await ask(service, FIELDS)).scope).toBeNull()
    expect(server.requests).toHaveLength(1)
  })

  const FAULTS: readonly [Fault, DecideFailure][] = [
    ['hang', 'timeout'],
    ['drip', 'timeout'],
    ['reset', 'network'],
    ['web-page', 'malformed-answer'],
    ['empty', 'malformed-answer'],
    ['truncated-json', 'malformed-answer'],
    ['no-answers', 'malformed-answer'],
    [{ status: 401 }, 'authentication'],
    [{ status: 413 }, 'max-tokens-exceeded'],
    [{ status: 422 }, 'invalid-request'],
    [{ status: 429 }, 'rate-limit'],
    [{ status: 500 }, 'server'],
    [{ status: 529 }, 'overloaded'],
  ]

  test.each(FAULTS)('costs nothing when the server answers with %j', async (fault, expected) => {
    const { server, service } = await startWith(
      wire,
      LEVELS['current-message'],
      isSilent(fault) ? 400 : 20_000,
    )
    server.setFault(fault)
    const answer = await ask(service)
    expect(answer.scope).toMatchObject({
      scope: null,
      threshold: null,
      used: false,
    })
    expect(answer.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
    const reason = expectReason(answer.scope?.failOpen, expected)
    const failOpen = { site: 'context-scope', reason }
    expect((await service.metrics()).sum('precis_fail_open_total', failOpen)).toBe(1)
    expect(service.logText()).toContain('"status":200')
    expect(service.logText()).not.toContain(SECRET)
  })
})

test.each(['embedded', 'none'])('with the decide model %s nothing is asked', async (wire) => {
  const service = await start({ PRECIS_DECIDE_WIRE: wire })
  const answer = await ask(service)
  expect(answer.scope).toBeNull()
  expect(answer.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  expect((await service.metrics()).sum('precis_fail_open_total')).toBe(0)
})
