/**
 * What a caller can get wrong, posted to a service in a process of its own: each is a problem document
 * with the place and the rule, and none of them brings the process down.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  BAD_BODIES,
  BAD_CONVERSATIONS,
  BAD_NUMBERS,
  BAD_OPTIONS,
  SECRET,
} from '../helpers/bad-requests.ts'
import { expectProblem } from '../helpers/expect-problem.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting } from '../helpers/service-answers.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'

const ALL = [...BAD_BODIES, ...BAD_OPTIONS, ...BAD_NUMBERS, ...BAD_CONVERSATIONS]
const { request } = sampleConversation('openai-chat', { secret: SECRET })

let service: ServiceProcess
beforeAll(async () => {
  service = await startServiceProcess()
}, START_PROCESS_MS)
afterAll(() => service?.close())

describe('POST /compact', () => {
  it.each(ALL)('refuses $what, with the place and the rule', async (bad) => {
    const { body, code, pointer, rule } = bad
    const answer = await service.send('/compact', { method: 'POST', body })
    expect(expectProblem(answer, code).errors[0]).toMatchObject({ pointer, rule })
    expect(answer.body).not.toContain(SECRET)
  })

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', null])(
    'refuses a body of the content type %s',
    async (type) => {
      const options = { method: 'POST', body: request, headers: { 'content-type': type } } as const
      expectProblem(await service.send('/compact', options), 'unsupported-media-type')
    },
  )

  it('refuses a body that is compressed', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const body = gzipSync(JSON.stringify(request))
    const answer = await service.send('/compact', { method: 'POST', body, headers })
    expectProblem(answer, 'unsupported-media-type')
  })

  it('refuses a request without a body', async () => {
    const answer = await service.send('/compact', { method: 'POST' })
    const { errors } = expectProblem(answer, 'invalid-request')
    expect(errors).toMatchObject([{ pointer: '', rule: 'type' }])
  })

  it('names every fault of a request, not the first alone', async () => {
    const body = { ...request, targetTokens: 0, profile: 'fast', pins: 7 }
    const answer = await service.send('/compact', { method: 'POST', body })
    const { errors } = expectProblem(answer, 'invalid-request')
    const pointers = errors.map(({ pointer }) => pointer)
    expect(pointers.sort()).toEqual(['/pins', '/profile', '/targetTokens'])
  })

  it('names the faults of 1,000 messages, as many as somebody reads', async () => {
    const messages = Array.from({ length: 1_000 }, () => ({ role: 'robot', content: SECRET }))
    const body = { format: 'openai-chat', messages, targetTokens: 100 }
    const answer = await service.send('/compact', { method: 'POST', body })
    const { errors } = expectProblem(answer, 'invalid-conversation')
    expect(errors.length).toBeGreaterThanOrEqual(10)
    expect(errors.length).toBeLessThanOrEqual(50)
    expect(errors[0]?.pointer).toBe('/messages/0/role')
    expect(answer.body).not.toContain(SECRET)
  })
})

describe.each([
  ['/budget', {}],
  ['/summary-check', { summary: SECRET }],
] as const)('POST %s', (path, members) => {
  it.each(BAD_CONVERSATIONS.filter(({ code }) => code !== 'empty-conversation'))(
    'refuses $what, with the place and the rule',
    async ({ body, code, pointer, rule }) => {
      const { targetTokens: _, ...conversation } = body as Record<string, unknown>
      const options = { method: 'POST', body: { ...conversation, ...members } } as const
      const answer = await service.send(path, options)
      expect(expectProblem(answer, code).errors[0]).toMatchObject({ pointer, rule })
      expect(answer.body).not.toContain(SECRET)
    },
  )

  it('refuses what is no JSON, and members that it does not know', async () => {
    const send = (body: unknown) => service.send(path, { method: 'POST', body })
    expectProblem(await send('{"messages":'), 'invalid-json')
    const { messages } = request
    const unknown = await send({ messages, ...members, targetTokens: 5 })
    expect(expectProblem(unknown, 'invalid-request').errors).toMatchObject([
      { pointer: '/targetTokens', rule: 'additionalProperties' },
    ])
  })
})

test('after all of this the service is well, works, and has logged nothing of it', async () => {
  expect(service.hasEnded()).toBe(false)
  expect(JSON.parse((await service.send('/healthz')).body)).toEqual({ status: 'ok' })
  const answer = await service.ask<CompactAnswer>('/compact', { ...request, targetTokens: 2_000 })
  expectFitting(request, answer)
  const metrics = await service.metrics()
  expect(metrics.sum('precis_http_problems_total')).toBeGreaterThan(ALL.length)
  expect(metrics.sum('precis_http_problems_total', { code: 'internal' })).toBe(0)
  expect(metrics.text).not.toContain(SECRET)
  expect(service.logText()).not.toContain(SECRET)
})
