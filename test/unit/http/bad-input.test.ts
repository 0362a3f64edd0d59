import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'

const BodySchema = Type.Object(
  {
    messages: Type.Array(Type.Object({}, { additionalProperties: true })),
    profile: Type.Optional(Type.Enum(['neurolink', 'agent'])),
    threshold: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    currentRequest: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    options: Type.Optional(
      Type.Object({ prune: Type.Object({}, { additionalProperties: false }) }),
    ),
  },
  { additionalProperties: false },
)

let test: TestApp

beforeAll(async () => {
  test = await buildTestApp({
    environment: { PRECIS_BODY_LIMIT_BYTES: '200000' },
    extend: (app) => {
      app.post('/echo', { schema: { body: BodySchema } }, async (request) => request.body)
      app.post('/walk', async (request) => JSON.parse(JSON.stringify(request.body)))
      app.post('/fail', async () => {
        throw new Error('canary of a bug')
      })
    },
  })
})
afterAll(() => test.app.close())

function post(url: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  return test.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

describe('a request', () => {
  it('comes back as it was sent, whatever strange but valid things it holds', async () => {
    const body =
      '{"messages":[{"content":null},{"content":"7"},{"content":[{"type":"text"}],"vendor":{"__proto__":{"a":1},"constructor":{"prototype":1}}},{"content":"\\ud800"}]}'
    const response = await post('/echo', body)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(body)
  })

  it.each([
    ['{"messages":[]', 'line 1, column 15'],
    ['not json', 'line 1, column 2'],
    ['', 'empty'],
  ])('that is not JSON (%j) is told where', async (body, where) => {
    const problem = expectProblem(await post('/echo', body), 'invalid-json')
    expect(problem.errors).toEqual([
      { pointer: '', rule: 'json', detail: expect.stringContaining(where) },
    ])
  })

  it('with bytes that are not UTF-8 is refused', async () => {
    const problem = expectProblem(
      await post('/echo', Buffer.from('{"messages":[{"content":"caf\xe9"}]}', 'latin1')),
      'invalid-json',
    )
    expect(problem.errors).toMatchObject([{ pointer: '', rule: 'utf-8' }])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense', ''])(
    'of content type %j is refused',
    async (type) => {
      const response = await post('/echo', '{"messages":[]}', { 'content-type': type })
      expectProblem(response, 'unsupported-media-type')
    },
  )

  it('whose body is compressed is refused as such', async () => {
    const body = gzipSync('{"messages":[]}')
    const response = await post('/echo', body, { 'content-encoding': 'gzip' })
    expectProblem(response, 'unsupported-media-type')
    const plain = await post('/echo', '{"messages":[]}', { 'content-encoding': 'identity' })
    expect(plain.statusCode).toBe(200)
  })

  it('of a content type with parameters is taken', async () => {
    const response = await post('/echo', '{"messages":[]}', {
      'content-type': 'Application/JSON; charset=utf-8',
    })
    expect(response.statusCode).toBe(200)
  })

  it('larger than the limit is refused', async () => {
    const body = JSON.stringify({ messages: [{ content: 'x'.repeat(200_000) }] })
    expectProblem(await post('/echo', body), 'payload-too-large')
  })

  it('gets every broken rule with the pointer of the very member', async () => {
    const problem = expectProblem(
      await post(
        '/echo',
        JSON.stringify({
          'mess/ages': [],
          profile: 'fast',
          threshold: 0,
          currentRequest: 7,
          options: { prune: { enabeld: true } },
        }),
      ),
      'invalid-request',
    )
    expect(problem.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/currentRequest', rule: 'type', detail: 'must be string or null' },
        { pointer: '/messages', rule: 'required', detail: 'is required' },
        {
          pointer: '/mess~1ages',
          rule: 'additionalProperties',
          detail: 'is not a member that is known here',
        },
        { pointer: '/profile', rule: 'enum', detail: 'must be one of neurolink, agent' },
        { pointer: '/threshold', rule: 'exclusiveMinimum', detail: 'must be > 0' },
        {
          pointer: '/options/prune/enabeld',
          rule: 'additionalProperties',
          detail: 'is not a member that is known here',
        },
      ]),
    )
    expect(problem.errors).toHaveLength(6)
  })

  it('is never coerced into what the schema wants', async () => {
    const problem = expectProblem(
      await post('/echo', '{"messages":{},"threshold":"0.5"}'),
      'invalid-request',
    )
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['/messages', '/threshold'])
  })

  it('with a number that JSON cannot hold is refused where a number is asked for', async () => {
    const problem = expectProblem(
      await post('/echo', '{"messages":[],"threshold":1e999}'),
      'invalid-request',
    )
    expect(problem.errors[0]?.pointer).toBe('/threshold')
  })

  it('with a member name as long as a message has it cut', async () => {
    const name = 'secret words '.repeat(100)
    const problem = expectProblem(
      await post('/echo', JSON.stringify({ messages: [], [name]: 1 })),
      'invalid-request',
    )
    expect(problem.errors[0]?.pointer).toHaveLength(200)
  })

  it('with a body that is no object is refused', async () => {
    for (const body of ['[]', 'null', '1', '"text"']) {
      const problem = expectProblem(await post('/echo', body), 'invalid-request')
      expect(problem.errors).toEqual([{ pointer: '', rule: 'type', detail: 'must be object' }])
    }
  })

  it('nested deeper than recursion can follow is refused before it is parsed', async () => {
    const nest = (depth: number) => `{"messages":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    const problem = expectProblem(await post('/walk', nest(501)), 'invalid-request')
    expect(problem.errors).toMatchObject([{ pointer: '', rule: 'max-depth' }])
    expectProblem(await post('/walk', nest(90_000)), 'invalid-request')
    const response = await post('/walk', nest(500))
    expect([response.statusCode, response.body]).toEqual([200, nest(500)])
  })

  it('that meets a bug learns the id under which the bug is logged, and no more', async () => {
    const response = await post('/fail', '{}', { 'x-request-id': 'trace-me' })
    const problem = expectProblem(response, 'internal')
    expect(problem.instance).toBe('trace-me')
    expect(response.body).not.toContain('canary')
    const line = test.logLines().find(({ msg }) => msg === 'request failed')
    expect(line).toMatchObject({
      level: 50,
      requestId: 'trace-me',
      err: { type: 'Error', stack: expect.stringContaining('bad-input.test.ts') },
    })
    expect(test.logText()).not.toContain('canary')
  })
})

describe('an address', () => {
  it('that is unknown is not found', async () => {
    expectProblem(await test.app.inject('/nowhere?secret=1'), 'not-found')
    expectProblem(await post('/nowhere', '{'), 'not-found')
  })

  it.each([
    ['GET', '/echo', 'POST'],
    ['DELETE', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/echo?x=1', 'POST'],
  ] as const)('does not take %s %s but names what it takes', async (method, url, allow) => {
    const response = await test.app.inject({ method, url })
    expectProblem(response, 'method-not-allowed')
    expect(response.headers.allow).toBe(allow)
  })

  it('that is no well-formed URL is refused', async () => {
    expectProblem(await test.app.inject('/%zz'), 'invalid-request')
  })
})

describe('the request id', () => {
  it('is the one that the caller sent, if it is fit to be repeated', async () => {
    const response = await test.app.inject({
      url: '/healthz',
      headers: { 'x-request-id': 'a-1:b' },
    })
    expect(response.headers['x-request-id']).toBe('a-1:b')
  })

  it.each(['two words', 'quo"te', 'x'.repeat(129), 'caf\u00e9', ''])(
    'is new instead of %j',
    async (id) => {
      const response = await test.app.inject({ url: '/healthz', headers: { 'x-request-id': id } })
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})
