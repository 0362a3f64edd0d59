/** OpenRouter's decisions endpoint: System One's body with optional members and errors of its own. */
import { afterEach, describe, expect, test } from 'vitest'
import { createRemoteDecider, type RemoteDeciderOptions } from '../../src/decide/decider.ts'
import { classifyOpenRouterError, openRouterWire } from '../../src/decide/wires/openrouter.ts'
import { FAULT_CASES, waitsFor } from '../helpers/decide-servers/fault-cases.ts'
import {
  createOpenRouterServer,
  OPENROUTER_KEY,
  type OpenRouterServerOptions,
} from '../helpers/decide-servers/openrouter-server.ts'
import {
  gateRequest,
  relevanceRequest,
  scopeRequest,
} from '../helpers/decide-servers/relevance-request.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function setUp(
  server: OpenRouterServerOptions = {},
  options: Partial<RemoteDeciderOptions> = {},
) {
  const started = await createOpenRouterServer(server)
  const decider = createRemoteDecider({
    wire: openRouterWire,
    url: started.url,
    apiKey: OPENROUTER_KEY,
    model: '~typesafe/jev-latest',
    countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 3),
    random: () => 0,
    ...options,
  })
  open.push(started, decider)
  return { server: started, decider }
}

const SECRET = 'the launch code is 0451'
const byId = (answers: Readonly<Record<string, number>>) => ({
  answer: ({ id }: { id: string }) => answers[id] ?? 0.9,
})

describe('OpenRouter', () => {
  test('answers every site, and names the model that an alias stood for', async () => {
    const { decider, server } = await setUp(byId({ m0: 0.07, preserves: 0.8, is_refusal: 0.1 }))
    const relevance = await decider.decide(relevanceRequest([SECRET, 'b']))
    expect(relevance).toMatchObject({ wire: 'openrouter', model: 'typesafe/jev-1.14', requests: 1 })
    expect([...relevance.answers]).toEqual([
      ['m0', { kind: 'boolean', probability: 0.07 }],
      ['m1', { kind: 'boolean', probability: 0.9 }],
    ])
    const gate = await decider.decide(gateRequest())
    expect(gate.answers.get('preserves')).toEqual({ kind: 'boolean', probability: 0.8 })
    const scope = await decider.decide(scopeRequest())
    expect(scope.answers.get('scope')).toMatchObject({ kind: 'score', score: 0.9 })
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${OPENROUTER_KEY}`),
    )
    expect(server.requests[0]?.path).toBe('/api/alpha/decisions')
  })

  test('takes a yes/no question whose criteria are one-sided, since they are folded in', async () => {
    const { decider, server } = await setUp()
    const result = await decider.decide({
      ...gateRequest(),
      questions: [
        { id: 'one', kind: 'boolean', instructions: 'Needed?', criteria: { true: 'It is used.' } },
        { id: 'two', kind: 'boolean', instructions: 'Kept?', criteria: { true: 'a', false: 'b' } },
      ],
    })
    expect([...result.answers.keys()]).toEqual(['one', 'two'])
    expect(server.requests[0]?.json).toMatchObject({
      questions: {
        one: { type: 'noul', instructions: 'Needed?\nYes: It is used.' },
        two: { type: 'noul', instructions: 'Kept?', criteria: { true: 'a', false: 'b' } },
      },
    })
  })

  test('may leave confidence out, which then follows from the probabilities', async () => {
    const answer = () => [0.1, 0.9]
    const full = await setUp({ answer })
    const derived = await setUp({ answer, omit: ['confidence', 'legend'] })
    const expected = await full.decider.decide(scopeRequest())
    expect((await derived.decider.decide(scopeRequest())).answers).toEqual(expected.answers)
    expect(expected.answers.size).toBe(1)
  })

  test('leaves a score without confidence and probabilities unanswered', async () => {
    const { decider } = await setUp({ omit: ['confidence', 'probabilities'] })
    const result = await decider.decide(scopeRequest())
    expect(result.answers.size).toBe(0)
    expect(result).not.toHaveProperty('failure')
  })

  test('is asked at most 200 questions at a time', async () => {
    const { decider, server } = await setUp()
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`)
    const result = await decider.decide(relevanceRequest(texts))
    expect(result.answers.size).toBe(300)
    expect(
      server.requests.map(
        ({ json }) => Object.keys((json as { questions: object }).questions).length,
      ),
    ).toEqual([200, 100])
  })

  test.each([true, false])(
    'passes on that its provider found a request too large (as text: %s), and is asked again smaller',
    async (rawAsText) => {
      const { decider, server } = await setUp({ maxTokensTotal: 9_000, rawAsText })
      const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'lorem '.repeat(300)}`)
      const result = await decider.decide(relevanceRequest(texts))
      expect(result).not.toHaveProperty('failure')
      expect(result.answers.size).toBe(40)
      expect(server.requests.length).toBeGreaterThan(1)
    },
  )

  test.each(FAULT_CASES)(
    'that %s costs the answers and nothing else',
    async (_, fault, failure) => {
      const { decider, server } = await setUp({}, waitsFor(fault))
      server.setFault(fault)
      const result = await decider.decide(relevanceRequest([SECRET, 'b']))
      expect(result).toMatchObject({ failure, wire: 'openrouter' })
      expect(result.answers.size).toBe(0)
      expect(JSON.stringify(result)).not.toContain(SECRET)
    },
  )

  test.each(['null', 'string', 'above-one', 'below-zero', 'missing-ids', 'wrong-types'] as const)(
    'whose first answer is %s leaves that question unanswered and the others answered',
    async (fault) => {
      const { decider, server } = await setUp()
      server.setFault(fault)
      const result = await decider.decide(relevanceRequest([SECRET, 'b']))
      expect(result).not.toHaveProperty('failure')
      expect([...result.answers.keys()]).toEqual(['m1'])
    },
  )
})

describe('an error of OpenRouter', () => {
  const error = (metadata: unknown) => ({ error: { code: 400, message: 'refused', metadata } })

  test.each([
    [400, error({ raw: '{"detail":{"error_type":"max_tokens_exceeded"}}' }), 'max-tokens-exceeded'],
    [400, error({ raw: { error: { code: 'context_length_exceeded' } } }), 'max-tokens-exceeded'],
    [400, error({ raw: 'upstream said no' }), 'invalid-request'],
    [400, error(undefined), 'invalid-request'],
    [402, error(undefined), 'authentication'],
    [429, error({ raw: '{}' }), 'rate-limit'],
    [502, error({ raw: null }), 'server'],
    [503, undefined, 'overloaded'],
  ] as const)('of status %i and body %j', (status, body, failure) => {
    expect(classifyOpenRouterError(status, body)).toBe(failure)
  })
})
