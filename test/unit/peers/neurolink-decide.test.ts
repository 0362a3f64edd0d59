/** What NeuroLink's tests assert of `decide`, through the service. */
import { afterEach, describe, expect, it } from 'vitest'
import { buildTestApp } from '../../helpers/build-app.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
  type SystemOneServerOptions,
} from '../../helpers/decide-servers/system-one-server.ts'
import { chat, conversation, sizeOf, user } from '../seeds/support.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const MESSAGES = conversation(user('The task.'), ...chat(14))

async function service(
  options: SystemOneServerOptions = {},
  key: string | undefined = SYSTEM_ONE_KEY,
) {
  const server = await createSystemOneServer({ answer: () => 0.9, ...options })
  closers.push(server.close)
  const { app } = await buildTestApp({
    environment: {
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: server.url,
      ...(key !== undefined && { PRECIS_DECIDE_API_KEY: key }),
    },
  })
  closers.push(() => app.close())
  const post = async (url: string, payload: object, headers: Record<string, string> = {}) =>
    (await app.inject({ method: 'POST', url, payload, headers })).json()
  const metrics = async () => (await app.inject({ url: '/metrics' })).body
  return { server, post, metrics }
}

async function compactBody() {
  return { messages: MESSAGES, targetTokens: (await sizeOf(MESSAGES)) - 1 }
}

describe('NeuroLink asserts of decide', () => {
  it('that without a key there is no judgement, and the run goes on', async () => {
    const { post } = await service({}, '')
    const body = await post('/compact', await compactBody())
    expect(body.relevance).toMatchObject({ answered: 0, failOpen: 'authentication' })
    expect(body.stagesUsed).toEqual(['truncate'])
    expect(body.fits).toBe(true)
  })

  it('that a success and a failure that was swallowed are both recorded', async () => {
    const { server, post, metrics } = await service()
    await post('/compact', await compactBody())
    server.setFault({ status: 400 })
    await post('/compact', await compactBody())
    const text = await metrics()
    expect(text).toMatch(
      /precis_decide_requests_total\{(?=[^}]*wire="systemone")(?=[^}]*result="answered")[^}]*\} 1/,
    )
    expect(text).toMatch(
      /precis_decide_requests_total\{(?=[^}]*wire="systemone")(?=[^}]*result="invalid-request")[^}]*\} 1/,
    )
    expect(text).toMatch(
      /precis_fail_open_total\{(?=[^}]*site="relevance")(?=[^}]*reason="invalid-request")[^}]*\} 1/,
    )
  })

  it('that a decision is not counted as a summary', async () => {
    const { post, metrics } = await service()
    await post('/compact', await compactBody())
    expect(await metrics()).not.toMatch(/^precis_summaries_total\{[^}]*\} [1-9]/m)
  })

  it('that nothing of the caller but the questions and the state goes over the wire', async () => {
    const { server, post } = await service()
    const headers = { 'x-request-id': 'session-4711', 'x-session-id': 'session-4711' }
    await post('/compact', await compactBody(), headers)
    const [request] = server.requests
    expect(Object.keys(request?.json as object)).toEqual(['model', 'state', 'questions'])
    expect(JSON.stringify([request?.text, request?.headers])).not.toContain('session-4711')
  })

  it('that the confidence which the server sends is used, and not the peak of its distribution', async () => {
    // The peak is 0.55, over the bar; the certainty that the server computes is far below it.
    const { post } = await service({ answer: () => [0.55, 0, 0, 0.45] })
    const body = await post('/budget', { messages: MESSAGES })
    expect(body.scope.confidence).toBeLessThan(0.5)
    expect(body.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  })
})
