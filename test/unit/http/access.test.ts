import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { App } from '../../../src/app.ts'
import { buildTestApp, type TestApp, type TestAppOptions } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'

const OPEN = ['/healthz', '/readyz', '/metrics', '/openapi.json']

let test: TestApp
afterEach(() => test.app.close())

async function start(environment: TestAppOptions['environment'], extend?: (app: App) => void) {
  test = await buildTestApp({
    environment: environment ?? {},
    extend: (app) => {
      app.post('/work', async () => ({ done: true }))
      extend?.(app)
    },
  })
  return test.app
}

describe('keys', () => {
  const environment = { PRECIS_API_KEYS: 'first-key-1, second-key-2' }

  it.each(['first-key-1', 'second-key-2'])('let a caller with %s in', async (key) => {
    const app = await start(environment)
    for (const scheme of ['Bearer', 'bearer']) {
      const response = await app.inject({
        method: 'POST',
        url: '/work',
        headers: { authorization: `${scheme} ${key}` },
      })
      expect(response.statusCode).toBe(200)
    }
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer first-key-1 second-key-2',
    'Bearer first-key-12',
    'Bearer first-key-',
    'Bearer first-key-1,',
    'Basic first-key-1',
    'first-key-1',
  ])('keep a caller with the header %j out', async (authorization) => {
    const app = await start(environment)
    const response = await app.inject({
      method: 'POST',
      url: '/work',
      headers: authorization === undefined ? {} : { authorization },
    })
    expectProblem(response, 'unauthorized')
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  it('are asked for before a body is read', async () => {
    const app = await start(environment)
    const response = await app.inject({
      method: 'POST',
      url: '/work',
      headers: { 'content-type': 'application/json' },
      payload: '{"not json',
    })
    expectProblem(response, 'unauthorized')
  })

  it.each(OPEN)('are not asked for at %s', async (url) => {
    const app = await start(environment)
    expect((await app.inject(url)).statusCode).toBe(200)
  })

  it('are not asked for where none is configured', async () => {
    const app = await start({})
    expect((await app.inject({ method: 'POST', url: '/work' })).statusCode).toBe(200)
  })
})

describe('load shedding', () => {
  it('refuses the request for which there is no place, and takes it when there is', async () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let finish = () => {}
    const app = await start({ PRECIS_MAX_CONCURRENT_REQUESTS: '1' }, (extended) => {
      extended.post('/slow', () => {
        begin()
        return new Promise((resolve) => (finish = () => resolve({})))
      })
    })
    const slow = app.inject({ method: 'POST', url: '/slow' })
    await begun
    expect(test.services.inFlight.count()).toBe(1)
    expect((await app.inject('/metrics')).body).toContain('precis_http_requests_in_flight 1\n')
    expectProblem(await app.inject({ method: 'POST', url: '/work' }), 'overloaded')
    for (const url of OPEN) expect((await app.inject(url)).statusCode).toBe(200)
    finish()
    expect((await slow).statusCode).toBe(200)
    expect((await app.inject({ method: 'POST', url: '/work' })).statusCode).toBe(200)
    expect(test.services.inFlight.count()).toBe(0)
  })

  it('refuses work while the event loop is late, and nothing of the operator', async () => {
    // Far below what the loop is held up by: on a busy machine each request adds short delays to the mean.
    const app = await start({ PRECIS_MAX_EVENT_LOOP_DELAY_MS: '50' })
    await app.ready()
    const until = Date.now() + 20_000
    let response = await app.inject({ method: 'POST', url: '/work' })
    while (response.statusCode === 200 && Date.now() < until) {
      const busyUntil = performance.now() + 1_100
      while (performance.now() < busyUntil);
      await sleep(0)
      response = await app.inject({ method: 'POST', url: '/work' })
    }
    expectProblem(response, 'overloaded')
    expect(response.headers['retry-after']).toBe('1')
    for (const url of OPEN) expect((await app.inject(url)).statusCode).toBe(200)
  })
})

describe('shutting down', () => {
  it('is told to load balancers first, then refuses work and nothing of the operator', async () => {
    const app = await start({})
    expect((await app.inject('/readyz')).json()).toEqual({ ready: true, reasons: [] })

    test.services.setPhase('leaving')
    const readiness = await app.inject('/readyz')
    expect(readiness.statusCode).toBe(503)
    expect(readiness.json()).toEqual({ ready: false, reasons: ['shutting-down'] })
    expect((await app.inject({ method: 'POST', url: '/work' })).statusCode).toBe(200)

    test.services.setPhase('refusing')
    const refused = await app.inject({ method: 'POST', url: '/work' })
    expectProblem(refused, 'shutting-down')
    expect(refused.headers.connection).toBe('close')
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await app.inject('/metrics')).statusCode).toBe(200)
  })
})
