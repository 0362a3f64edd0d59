import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { PrecisError } from '../../../../src/engine/errors.ts'
import { encodeJson } from '../../../../src/http/body/encode-json.ts'
import { createJsonBodyParser } from '../../../../src/http/body/json-body-parser.ts'

const BOUNDS = { maxDepth: 512, maxValues: 5_000 }

let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
})

/** An echo of the parsed body through the encoder; errors show what the parser has thrown. */
const post = async (payload: string | Buffer) => {
  app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonBodyParser(BOUNDS))
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof PrecisError
    return reply
      .code(400)
      .send(known ? { ...error, message: error.message } : { other: `${error}` })
  })
  app.post('/', (request, reply) => reply.type('application/json').send(encodeJson(request.body)))
  return app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    payload,
  })
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('the JSON body parser', () => {
  it.each([
    '{"messages":[{"role":"user","content":"naïve 😀"}]}',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}',
    '{"lone":"\\ud83d","e":1e+21}',
    'null',
    nested(512),
  ])('hands on what JSON.parse makes of %s', async (body) => {
    const response = await post(body)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(JSON.stringify(JSON.parse(body)))
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it.each([
    ['513', nested(513)],
    ['100,000', nested(100_000)],
    ['100,000, never closed', '['.repeat(100_000)],
    ['100,000, of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('refuses a body that is nested %s deep, with the rule that it breaks', async (_, body) => {
    const response = await post(body)
    const detail = 'Arrays and objects are nested more than 512 deep'
    expect(response.json()).toMatchObject({
      code: 'invalid-request',
      message: detail,
      faults: [{ pointer: '', rule: 'max-depth', detail }],
    })
  })

  it.each([
    ['{"a":1,}', 'line 1, column 8'],
    [`{"é":"${'é'.repeat(20_000)}",\n}`, 'line 2, column 1'],
    ['{"secret', 'line 1, column 9'],
    ['secret', 'line 1, column 1'],
  ])(
    'says of a body that is not JSON where it stops, and never what is there',
    async (body, place) => {
      const detail = `The body stops being JSON at ${place}`
      const response = await post(body)
      expect(response.json()).toMatchObject({
        code: 'invalid-json',
        message: detail,
        faults: [{ pointer: '', rule: 'json', detail }],
      })
      expect(response.body).not.toContain('secret')
      expect(response.json()).not.toHaveProperty('cause')
    },
  )

  it('refuses more values than memory should hold, before it builds them', async () => {
    const response = await post(`[${'{},'.repeat(2_500)}{}]`)
    const detail = 'There are more than 5000 commas and opening brackets'
    expect(response.json()).toMatchObject({
      code: 'invalid-request',
      message: detail,
      faults: [{ pointer: '', rule: 'max-values', detail }],
    })
    expect((await post(`[${'1,'.repeat(4_998)}1]`)).json()).toHaveLength(4_999)
  })

  it('says so when there is no body', () => {
    const parser = createJsonBodyParser(BOUNDS)
    let failure: Error | null = null
    parser({} as never, Buffer.alloc(0), (error) => {
      failure = error
    })
    expect(failure).toMatchObject({
      code: 'invalid-json',
      message: 'The body is empty; it must be a JSON document',
    })
  })
})
