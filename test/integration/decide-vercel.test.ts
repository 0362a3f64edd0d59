/** Vercel's AI Gateway: the model in a header, other words for a yes/no question, confidence apart. */
import { afterEach, describe, expect, test } from 'vitest'
import { createRemoteDecider, type RemoteDeciderOptions } from '../../src/decide/decider.ts'
import { vercelWire } from '../../src/decide/wires/vercel.ts'
import { FAULT_CASES, waitsFor } from '../helpers/decide-servers/fault-cases.ts'
import {
  gateRequest,
  relevanceRequest,
  scopeRequest,
} from '../helpers/decide-servers/relevance-request.ts'
import {
  createVercelServer,
  VERCEL_KEY,
  type VercelServerOptions,
} from '../helpers/decide-servers/vercel-server.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function setUp(
  server: VercelServerOptions = {},
  options: Partial<RemoteDeciderOptions> = {},
) {
  const started = await createVercelServer(server)
  const decider = createRemoteDecider({
    wire: vercelWire,
    url: started.url,
    apiKey: VERCEL_KEY,
    model: 'typesafe-ai/jev',
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

describe('Vercel’s AI Gateway', () => {
  test('is sent the model and its versions in headers, and boolean questions', async () => {
    const { decider, server } = await setUp(byId({ m0: 0.07 }))
    const result = await decider.decide(relevanceRequest([SECRET]))
    // Its answer does not say which model gave it.
    expect(result).toMatchObject({ wire: 'vercel', model: 'typesafe-ai/jev', requests: 1 })
    expect([...result.answers]).toEqual([['m0', { kind: 'boolean', probability: 0.07 }]])
    const [request] = server.requests
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${VERCEL_KEY}`,
      'ai-gateway-auth-method': 'api-key',
      'ai-gateway-protocol-version': '0.0.1',
      'ai-evaluation-model-specification-version': '4',
      'ai-model-id': 'typesafe-ai/jev',
    })
    expect(request?.json).toEqual({
      state: {
        note: expect.any(String),
        current_request: 'Rename that variable.',
        rule: expect.any(String),
        recent_messages: { r0: { role: 'user', text: 'The variable is called count.' } },
        messages: { m0: { role: 'user', text: SECRET } },
      },
      questions: { m0: { type: 'boolean', instructions: expect.stringContaining('m0') } },
    })
  })

  test('answers the gate', async () => {
    const { decider } = await setUp(byId({ preserves: 0.8, is_refusal: 0.1 }))
    expect([...(await decider.decide(gateRequest())).answers.values()]).toEqual([
      { kind: 'boolean', probability: 0.8 },
      { kind: 'boolean', probability: 0.1 },
    ])
  })

  test('has its confidence read from the provider’s metadata', async () => {
    const answer = () => [0.1, 0.9]
    const { decider } = await setUp({ answer, withProbabilities: false })
    expect((await decider.decide(scopeRequest())).answers.get('scope')).toEqual({
      kind: 'score',
      score: 0.9,
      confidence: expect.closeTo(0.8),
    })
  })

  test('may leave confidence out, which then follows from the probabilities', async () => {
    const answer = () => [0.1, 0.9]
    const told = await setUp({ answer })
    const derived = await setUp({ answer, withConfidence: false })
    const expected = (await told.decider.decide(scopeRequest())).answers.get('scope')
    expect(expected).toMatchObject({ kind: 'score', confidence: expect.closeTo(0.8) })
    expect((await derived.decider.decide(scopeRequest())).answers.get('scope')).toMatchObject({
      kind: 'score',
      score: 0.9,
      confidence: expect.closeTo(0.8),
    })
  })

  test('leaves a score without both unanswered', async () => {
    const { decider } = await setUp({ withProbabilities: false, withConfidence: false })
    const result = await decider.decide(scopeRequest())
    expect(result.answers.size).toBe(0)
    expect(result).not.toHaveProperty('failure')
  })

  test('takes a model that it does not have for a request that it does not', async () => {
    const { decider } = await setUp({}, { model: 'typesafe-ai/other' })
    expect(await decider.decide(relevanceRequest(['a']))).toMatchObject({
      failure: 'invalid-request',
    })
  })

  test('is asked again smaller when it finds a request too large', async () => {
    const { decider, server } = await setUp({ maxTokensTotal: 9_000 })
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'lorem '.repeat(300)}`)
    const result = await decider.decide(relevanceRequest(texts))
    expect(result).not.toHaveProperty('failure')
    expect(result.answers.size).toBe(40)
    expect(server.requests.length).toBeGreaterThan(1)
  })

  test.each(FAULT_CASES)(
    'that %s costs the answers and nothing else',
    async (_, fault, failure) => {
      const { decider, server } = await setUp({}, waitsFor(fault))
      server.setFault(fault)
      const result = await decider.decide(relevanceRequest([SECRET, 'b']))
      expect(result).toMatchObject({ failure, wire: 'vercel' })
      expect(result.answers.size).toBe(0)
      expect(JSON.stringify(result)).not.toContain(SECRET)
    },
  )

  test('without a card on file is an account that is refused, and is left alone', async () => {
    const { decider, server } = await setUp()
    server.setFault({ status: 403 })
    await decider.decide(relevanceRequest(['a']))
    expect(await decider.decide(relevanceRequest(['a']))).toMatchObject({ failure: 'breaker-open' })
    expect(server.requests).toHaveLength(1)
  })

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
