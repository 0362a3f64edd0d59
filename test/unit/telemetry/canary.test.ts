import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'

/** One word that appears in nothing but what the caller sends. */
const CANARY = 'quetzal'

let test: TestApp
let answers = ''

beforeAll(async () => {
  test = await buildTestApp({
    environment: { PRECIS_API_KEYS: 'the-right-key', PRECIS_BODY_LIMIT_BYTES: '5000' },
    extend: (app) => {
      const body = Type.Object(
        {
          text: Type.String({ maxLength: 100 }),
          kind: Type.Optional(Type.Enum(['a', 'b'])),
          one: Type.Optional(Type.Literal('one')),
        },
        { additionalProperties: false },
      )
      app.post('/strict', { schema: { body } }, async () => ({ done: true }))
      app.post('/throw', async (request) => {
        // What a careless line somewhere could do: an error that quotes the text.
        throw new Error(`cannot read ${JSON.stringify(request.body)}`)
      })
      app.post('/twice', async (request, reply) => {
        void reply.send({ done: true })
        // Fastify logs this one by itself.
        throw new Error(`too late for ${JSON.stringify(request.body)}`)
      })
    },
  })
  const bodies = [
    JSON.stringify({ text: `a ${CANARY}` }),
    JSON.stringify({ text: CANARY.repeat(20), kind: CANARY, one: CANARY }),
    `{"text": ${CANARY}}`,
    `{"text":"${CANARY}`,
    `{"text":"${CANARY}"}`.repeat(400),
    JSON.stringify([CANARY]),
  ]
  for (const url of ['/strict', '/throw', '/twice', `/${CANARY}`, `/%${CANARY}`]) {
    for (const payload of bodies) {
      for (const key of ['the-right-key', CANARY]) {
        for (const type of ['application/json', `text/${CANARY}`]) {
          const response = await test.app.inject({
            method: 'POST',
            url: `${url}?q=${CANARY}`,
            payload,
            headers: {
              'content-type': type,
              authorization: `Bearer ${key}`,
              'x-custom': CANARY,
              cookie: `session=${CANARY}`,
              'user-agent': CANARY,
              'x-request-id': `not sane ${CANARY}`,
            },
          })
          answers += JSON.stringify(response.headers) + response.body
        }
      }
    }
  }
})
afterAll(() => test.app.close())

describe('the text of a caller', () => {
  it('is in no log line at any level', () => {
    expect(test.logLines().length).toBeGreaterThan(100)
    expect(test.logText()).toContain('"problem":"invalid-json"')
    expect(test.logText()).toContain('request failed')
    expect(test.logText()).not.toContain(CANARY)
  })

  it('is in no answer and no problem document', () => {
    for (const code of [
      'invalid-json',
      'invalid-request',
      'payload-too-large',
      'unauthorized',
      'unsupported-media-type',
      'not-found',
      'internal',
    ]) {
      expect(answers).toContain(`"code":"${code}"`)
    }
    expect(answers).not.toContain(CANARY)
  })

  it('is in no metric, and adds no series', async () => {
    const { body } = await test.app.inject('/metrics')
    expect(body).toContain('route="unmatched",status="4xx"}')
    expect(body).toContain('precis_http_problems_total{code="internal"}')
    expect(body).not.toContain(CANARY)
    const routes = new Set(Array.from(body.matchAll(/route="([^"]*)"/g), ([, route]) => route))
    expect([...routes].sort()).toEqual(['/strict', '/throw', '/twice', 'unmatched'])
  })
})
