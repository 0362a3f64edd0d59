/**
 * The official clients of the other typed wires talk to the servers that our tests rely on: what these
 * accept, answer and refuse is what each API's own client expects of one.
 */
import { OpenRouter } from '@openrouter/sdk'
import { createGateway } from 'ai-sdk-gateway-4'
import OpenAI from 'openai-7'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createOpenAiDecisionsServer,
  OPENAI_DECISIONS_KEY,
} from '../helpers/decide-servers/openai-decisions-server.ts'
import {
  createOpenRouterServer,
  OPENROUTER_KEY,
} from '../helpers/decide-servers/openrouter-server.ts'
import { createVercelServer, VERCEL_KEY } from '../helpers/decide-servers/vercel-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What all three servers say: of `kind` the first choice, of `scope` the higher level, of others no. */
const answerOf = (id: string | null | undefined) =>
  id === 'kind' ? [0.9, 0.1] : id === 'scope' ? [0.2, 0.8] : 0.07

describe('the official OpenAI client', () => {
  async function setUp(apiKey = OPENAI_DECISIONS_KEY) {
    const server = await createOpenAiDecisionsServer({
      answer: ({ name }) => (name === 'refused' ? 'refusal' : answerOf(name)),
    })
    closing.push(server.close)
    const client = new OpenAI({ apiKey, baseURL: `${server.origin}/v1`, maxRetries: 0 })
    return { server, client }
  }
  const predicate = { type: 'predicate', name: 'm0', instructions: 'Is m0 needed?' } as const

  test('gets its typed answers, a refusal among them', async () => {
    const { client } = await setUp()
    const { answers, model, usage } = await client.decisions.create({
      model: 'gpt-6-luna',
      input: [{ role: 'user', type: 'message', content: 'm0: we use Postgres' }],
      questions: [
        predicate,
        { ...predicate, name: 'refused' },
        {
          type: 'choice',
          name: 'kind',
          instructions: 'What is asked?',
          choices: [{ value: 'edit', description: 'change code' }, { value: 'ask' }],
        },
        {
          type: 'score',
          name: 'scope',
          instructions: 'How much is needed?',
          levels: [{ label: 'none' }, { label: 'all' }],
        },
      ],
    })
    expect(model).toBe('gpt-6-luna')
    expect(usage.total_tokens).toBe(usage.input_tokens)
    expect(answers).toMatchObject([
      { type: 'predicate', name: 'm0', probability: 0.07 },
      { type: 'refusal', name: 'refused' },
      { type: 'choice', choice: 'edit', confidence: expect.closeTo(0.8) },
      { type: 'score', score: 0.8, probabilities: [{ value: 0 }, { value: 1 }] },
    ])
  })

  test.each([
    [{ status: 401 }, OpenAI.AuthenticationError],
    [{ status: 403 }, OpenAI.PermissionDeniedError],
    [{ status: 429 }, OpenAI.RateLimitError],
    [{ status: 500 }, OpenAI.InternalServerError],
    ['max-tokens', OpenAI.BadRequestError],
  ] as const)('recognises the error that %j is', async (fault, kind) => {
    const { server, client } = await setUp()
    server.setFault(fault)
    await expect(
      client.decisions.create({ model: 'gpt-6-luna', input: 'text', questions: [predicate] }),
    ).rejects.toBeInstanceOf(kind)
  })
})

describe('the official client of Vercel’s AI Gateway', () => {
  async function setUp() {
    const server = await createVercelServer({ answer: ({ id }) => answerOf(id) })
    closing.push(server.close)
    const gateway = createGateway({ apiKey: VERCEL_KEY, baseURL: `${server.origin}/v4/ai` })
    return { server, model: gateway.evaluation('typesafe-ai/jev') }
  }
  const call = {
    state: { current_request: 'rename it', messages: { m0: 'thanks!' } },
    questions: {
      m0: { type: 'boolean', instructions: 'Is m0 needed?' },
      kind: { type: 'choice', instructions: 'What?', criteria: { edit: 'change code', ask: null } },
      scope: { type: 'score', instructions: 'How much?', criteria: ['none', 'all'] },
    },
  } as const

  test('gets its typed answers, and the confidence of the provider', async () => {
    const { model } = await setUp()
    const { answers, providerMetadata, usage } = await model.doEvaluate(call)
    expect(answers).toEqual({
      m0: { type: 'boolean', probability: 0.07 },
      kind: { type: 'choice', choice: 'edit', probabilities: { edit: 0.9, ask: 0.1 } },
      scope: { type: 'score', score: 0.8, probabilities: { 0: 0.2, 1: 0.8 } },
    })
    expect(providerMetadata?.typesafe).toEqual({
      confidence: { kind: expect.closeTo(0.8), scope: expect.closeTo(0.6) },
    })
    expect(usage?.inputTokens).toBeGreaterThan(100)
  })

  test.each([
    [{ status: 401 }, 401, 'authentication_error'],
    [{ status: 403 }, 403, 'forbidden'],
    [{ status: 429 }, 429, 'rate_limit_exceeded'],
    [{ status: 500 }, 500, 'internal_server_error'],
    ['max-tokens', 400, 'invalid_request_error'],
  ] as const)('recognises the error that %j is', async (fault, statusCode, type) => {
    const { server, model } = await setUp()
    server.setFault(fault)
    await expect(model.doEvaluate(call)).rejects.toMatchObject({ statusCode, type })
  })
})

describe('the official OpenRouter client', () => {
  async function setUp() {
    const server = await createOpenRouterServer({ answer: ({ id }) => answerOf(id) })
    closing.push(server.close)
    const client = new OpenRouter({ apiKey: OPENROUTER_KEY })
    const decide = () =>
      client.alpha.decisions.create(
        {
          decisionsRequest: {
            model: '~typesafe/jev-latest',
            state: { current_request: 'rename it', messages: { m0: 'thanks!' } },
            questions: {
              m0: {
                type: 'noul',
                instructions: 'Is m0 needed?',
                criteria: { true: 'It is built on.', false: 'It is small talk.' },
              },
              kind: {
                type: 'choice',
                instructions: 'What?',
                criteria: { edit: 'change code', ask: null },
              },
              scope: { type: 'score', instructions: 'How much?', criteria: ['none', 'all'] },
            },
          },
        },
        { serverURL: server.origin, retries: { strategy: 'none' } },
      )
    return { server, decide }
  }

  test('gets its typed answers, and what they cost', async () => {
    const { decide } = await setUp()
    expect(await decide()).toMatchObject({
      model: 'typesafe/jev-1.14',
      provider: 'TypeSafe',
      answers: {
        m0: { type: 'noul', noul: 0.07 },
        kind: { type: 'choice', choice: 'edit', confidence: expect.closeTo(0.8) },
        scope: { type: 'score', score: 0.8 },
      },
      usage: { cost: 0.0000123 },
    })
  })

  test.each([
    [{ status: 401 }, 401],
    [{ status: 429 }, 429],
    [{ status: 500 }, 500],
    ['max-tokens', 400],
  ] as const)('recognises the error that %j is', async (fault, statusCode) => {
    const { server, decide } = await setUp()
    server.setFault(fault)
    await expect(decide()).rejects.toMatchObject({ statusCode })
  })
})
