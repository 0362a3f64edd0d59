/**
 * The official client talks to the server that the other tests rely on: what the server accepts,
 * answers and refuses is what System One's own client expects of one.
 */
import {
  AuthenticationError,
  BadRequestError,
  choice,
  InternalServerError,
  noul,
  PermissionDeniedError,
  RateLimitError,
  score,
  TypeSafeClient,
  UnprocessableEntityError,
} from '@typesafe-ai/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../helpers/decide-servers/system-one-server.ts'

let server: DecideServer
beforeAll(async () => {
  server = await createSystemOneServer({
    answer: ({ id }) => (id === 'scope' ? [0.45, 0.48, 0.07] : 0.95),
    maxTokensLongest: 2_000,
  })
})
afterAll(() => server.close())
afterEach(() => server.setFault(undefined))

const connect = (apiKey = SYSTEM_ONE_KEY) =>
  new TypeSafeClient({
    apiKey,
    baseURL: server.origin,
    logLevel: 'off',
    retry: { maxRetries: 0 },
  })
const billing = { state: 'I was charged twice.', questions: { billing: noul('About billing?') } }

describe('the official System One client', () => {
  test('gets its typed answers', async () => {
    const { data, requestId } = await connect()
      .systemOne({
        model: 'jev-latest',
        state: { current_request: 'rename it', messages: { m0: 'thanks!' } },
        questions: {
          m0: noul('Is m0 needed?', { true: 'It is built on.' }),
          kind: choice('What is asked?', { edit: 'change code', ask: null }),
          scope: score('How much is needed?', ['none', 'last turns', 'all']),
        },
      })
      .withResponse()
    expect(requestId).toMatch(/^req_/)
    expect(data.model).toBe('jev-1.14.0')
    expect(data.answers.m0).toEqual({ type: 'noul', noul: 0.95 })
    expect(data.answers.kind).toMatchObject({ choice: 'edit', confidence: expect.closeTo(0.9) })
    expect(data.answers.scope).toMatchObject({
      score: expect.closeTo(0.62),
      confidence: expect.closeTo(0.22),
      legend: { 0: 'none', 1: 'last turns', 2: 'all' },
    })
    expect(data.usage.input_tokens).toBeGreaterThan(261)
  })

  test('lists the models', async () => {
    expect(await connect().models.list()).toContainEqual({
      name: 'jev-1.13.0',
      description: expect.any(String),
      release_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
  })

  test('is told that its key is wrong', async () => {
    await expect(connect('another-key').systemOne(billing)).rejects.toBeInstanceOf(
      AuthenticationError,
    )
  })

  test('is told that a model is unknown', async () => {
    await expect(connect().systemOne({ ...billing, model: 'jev-9' })).rejects.toMatchObject({
      constructor: BadRequestError,
      body: { detail: { error_type: 'api_usage_error', message: 'Invalid request.' } },
    })
  })

  test('is told where a request is wrong, with an echo of what it sent', async () => {
    const wrong = { state: 'x', questions: { q: { type: 'boolean' } } }
    await expect(connect().systemOne(wrong as never)).rejects.toMatchObject({
      constructor: UnprocessableEntityError,
      body: { detail: [{ loc: ['body', 'questions', 'q', 'type'], input: 'boolean' }] },
    })
  })

  test('is told that a request is too large, without a message', async () => {
    const state = 'a word '.repeat(2_000)
    await expect(connect().systemOne({ ...billing, state })).rejects.toMatchObject({
      status: 400,
      body: { detail: { error_type: 'max_tokens_exceeded' } },
    })
  })

  test('reads how long it has to wait', async () => {
    server.setFault({ status: 429, headers: { 'retry-after': '2' } })
    await expect(connect().systemOne(billing)).rejects.toMatchObject({
      constructor: RateLimitError,
      retryAfterMs: 2_000,
    })
  })

  test('is told that the server is overloaded', async () => {
    server.setFault({ status: 529 })
    await expect(connect().systemOne(billing)).rejects.toBeInstanceOf(InternalServerError)
  })

  test('is refused with 403 where the key is missing altogether', async () => {
    const response = await fetch(server.url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(403)
    server.setFault({ status: 403 })
    await expect(connect().systemOne(billing)).rejects.toBeInstanceOf(PermissionDeniedError)
  })
})

describe('the System One server', () => {
  const post = async (body: string) => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${SYSTEM_ONE_KEY}` },
      body,
    })
    return { status: response.status, json: (await response.json()) as { detail: unknown } }
  }
  const noulQuestion = { type: 'noul', instructions: 'Yes?' }
  const labels = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, null]))

  test.each([
    ['no JSON', undefined],
    ['no model', { state: '', questions: { q: noulQuestion } }],
    ['no state', { model: 'jev-latest', questions: { q: noulQuestion } }],
    ['a null state', { model: 'jev-latest', state: null, questions: { q: noulQuestion } }],
    ['no questions', { model: 'jev-latest', state: '', questions: {} }],
    ['an empty key', { model: 'jev-latest', state: '', questions: { '': noulQuestion } }],
    [
      'criteria of another name',
      {
        model: 'jev-latest',
        state: '',
        questions: { q: { ...noulQuestion, criteria: { yes: 'a' } } },
      },
    ],
    [
      'one label',
      { model: 'jev-latest', state: '', questions: { q: { type: 'choice', criteria: labels(1) } } },
    ],
    [
      '256 labels',
      {
        model: 'jev-latest',
        state: '',
        questions: { q: { type: 'choice', criteria: labels(256) } },
      },
    ],
    [
      'levels in a map',
      { model: 'jev-latest', state: '', questions: { q: { type: 'score', criteria: labels(3) } } },
    ],
    [
      'eleven levels',
      {
        model: 'jev-latest',
        state: '',
        questions: { q: { type: 'score', criteria: Object.keys(labels(11)) } },
      },
    ],
  ])('refuses %s with 422', async (_, body) => {
    const { status, json } = await post(body === undefined ? '{' : JSON.stringify(body))
    expect(status).toBe(422)
    expect(json.detail).toEqual([
      expect.objectContaining({ loc: expect.any(Array), type: expect.any(String) }),
    ])
  })
})
