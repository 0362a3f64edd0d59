/** Who may call what, through HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../helpers/expect-problem.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

const { request } = sampleConversation('openai-chat')
const POST = { method: 'POST', body: { ...request, targetTokens: 2_000 } } as const

describe('an address', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  it.each(['/nothing', '/compact/', '/Compact', '/compact/more', '/v1/compact', '//compact'])(
    '%s that is none of ours is not found',
    async (path) => {
      expectProblem(await service.send(path, POST), 'not-found')
    },
  )

  it.each([
    ['GET', '/compact', 'POST'],
    ['PUT', '/budget', 'POST'],
    ['DELETE', '/summary-check', 'POST'],
    ['OPTIONS', '/compact?x=1', 'POST'],
    ['POST', '/metrics', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const)('does not take %s %s, and says what it takes', async (method, path, allow) => {
    const answer = await service.send(path, { method })
    expectProblem(answer, 'method-not-allowed')
    expect(answer.headers.allow).toBe(allow)
  })
})

describe('a service with keys', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ PRECIS_API_KEYS: 'first-key-of-two,second-key-of-two' })
  })
  afterAll(() => service?.close())

  const post = (authorization: string | null) =>
    service.send('/compact', { ...POST, headers: { authorization } })

  it.each([null, 'Bearer', 'Bearer wrong-key', 'Basic first-key-of-two', 'first-key-of-two'])(
    'refuses the authorization %j',
    async (authorization) => {
      const answer = await post(authorization)
      expectProblem(answer, 'unauthorized')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    },
  )

  it('takes each of its keys, and logs none', async () => {
    expect((await post('Bearer first-key-of-two')).statusCode).toBe(200)
    expect((await post('bearer second-key-of-two')).statusCode).toBe(200)
    expect(service.logText()).toContain('request completed')
    expect(service.logText()).not.toContain('key-of-two')
  })

  it.each(['/healthz', '/readyz', '/metrics', '/openapi.json'])(
    'asks for none at %s',
    async (path) => {
      expect((await service.send(path)).statusCode).toBe(200)
    },
  )

  it.each(['/budget', '/summary-check'])('asks for one at %s', async (path) => {
    expectProblem(await service.send(path, POST), 'unauthorized')
  })
})
