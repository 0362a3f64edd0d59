import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { workTimeMs } from '../../../src/http/plugins/deadline.ts'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'

/** The machine may be busy with other tests. */
const POLL = { timeout: 5_000 }

let test: TestApp
afterEach(() => test.app.close())

/** Routes of which one works until its signal aborts, and tells why and when, and one for ever. */
async function start(deadlineMs: number) {
  const aborts: { reason: { name?: string; code?: string }; lateMs: number }[] = []
  const callerSignals: AbortSignal[] = []
  let started = () => {}
  const working = new Promise<void>((resolve) => {
    started = resolve
  })
  test = await buildTestApp({
    environment: { PRECIS_REQUEST_DEADLINE_MS: String(deadlineMs) },
    extend: (app) => {
      app.post('/heed', async (incoming) => {
        const { signal, at } = incoming.deadline
        callerSignals.push(incoming.signal)
        started()
        if (!signal.aborted) await once(signal, 'abort')
        aborts.push({ reason: signal.reason, lateMs: performance.now() - at })
        return { answered: true }
      })
      app.post('/ignore', () => new Promise(() => {}))
      app.post('/outlast', async (incoming) => {
        const { signal } = incoming
        callerSignals.push(signal)
        if (!signal.aborted) await once(signal, 'abort')
        throw signal.reason
      })
      app.post('/quick', async (incoming) => {
        const { signal, at } = incoming.deadline
        return { aborted: signal.aborted, leftMs: at - performance.now() }
      })
    },
  })
  return { url: await test.listen(), aborts, callerSignals, working }
}

async function post(url: string) {
  // With a body: that is where Fastify's own signal and timer fail.
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  return { ...response, body: await response.body.text() }
}

describe('the deadline', () => {
  it('ends work that outlasts it, once it is answered, and what that comes to is no fault', async () => {
    const { url, callerSignals } = await start(300)
    const response = await post(`${url}/outlast`)
    expectProblem(response, 'deadline-exceeded')
    await expect.poll(() => callerSignals[0]?.aborted, POLL).toBe(true)
    expect(callerSignals[0]?.reason).toMatchObject({ code: 'deadline-exceeded' })
    const severe = test.logLines().filter(({ level }) => Number(level) >= 40)
    expect(severe.filter(({ problem }) => problem !== 'deadline-exceeded')).toEqual([])
  })

  it('ends the work early enough for an answer', async () => {
    const { url, aborts, callerSignals } = await start(1_000)
    const response = await post(`${url}/heed`)
    expect(response.statusCode).toBe(200)
    expect(callerSignals.map(({ aborted }) => aborted)).toEqual([false])
    expect(aborts).toHaveLength(1)
    expect(aborts[0]?.reason.name).toBe('TimeoutError')
    // Timers count from the beginning of the turn of the event loop, which may be long on a busy machine.
    expect(aborts[0]?.lateMs).toBeGreaterThan(-600)
  })

  it('ends the request of those who do not heed it', async () => {
    const { url } = await start(300)
    expectProblem(await post(`${url}/ignore`), 'deadline-exceeded')
  })

  it('keeps back a fifth of itself, at most two seconds', () => {
    expect(workTimeMs(1_000)).toBe(800)
    expect(workTimeMs(30_000)).toBe(28_000)
  })

  it('is still ahead when the work begins, and leaves nothing behind when it ends', async () => {
    const { url } = await start(30_000)
    const body = JSON.parse((await post(`${url}/quick`)).body)
    expect(body).toEqual({ aborted: false, leftMs: expect.any(Number) })
    expect(body.leftMs).toBeGreaterThan(0)
    expect(body.leftMs).toBeLessThan(28_001)
  })

  it('is called off by a caller who hangs up', async () => {
    const { url, aborts, callerSignals, working } = await start(60_000)
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    const body = '{"a":1}'
    socket.write(
      `POST /heed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await working
    expect(test.services.inFlight.count()).toBe(1)
    socket.destroy()
    await expect.poll(() => aborts.length, POLL).toBe(1)
    expect(aborts[0]?.reason.code).toBe('client-closed-request')
    expect(callerSignals[0]?.reason).toMatchObject({ code: 'client-closed-request' })
    await expect.poll(() => test.services.inFlight.count(), POLL).toBe(0)

    const { body: metrics } = await test.app.inject('/metrics')
    expect(metrics).toContain('precis_http_problems_total{code="client-closed-request"} 1\n')
    expect(metrics).toContain(
      'precis_http_requests_total{method="POST",route="/heed",status="4xx"} 1\n',
    )
    expect(test.logLines().find(({ msg }) => msg === 'request completed')).toMatchObject({
      status: 499,
      problem: 'client-closed-request',
    })
  })

  it('is called off for pipelined requests whose turn to be answered never comes', async () => {
    const { url, aborts, working } = await start(60_000)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const head = 'POST /heed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    socket.write(`${head}content-length: 2\r\n\r\n{}`.repeat(20))
    await working
    await expect.poll(() => test.services.inFlight.count(), POLL).toBe(20)
    socket.destroy()
    await expect.poll(() => aborts.length, POLL).toBe(20)
    expect(test.services.inFlight.count()).toBe(0)
  })

  it('also frees the place of a caller who hangs up in the middle of the body', async () => {
    const { url } = await start(60_000)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      'POST /heed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a',
    )
    await expect.poll(() => test.services.inFlight.count(), POLL).toBe(1)
    socket.destroy()
    await expect.poll(() => test.services.inFlight.count(), POLL).toBe(0)
  })
})

describe('bytes that are no HTTP request', () => {
  it.each([
    ['GET /healthz HTTP/1.1\r\nbad header canary\r\n\r\n', 400],
    [`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'canary'.repeat(5_000)}\r\n\r\n`, 431],
  ])('are answered with a problem document and not logged (%#)', async (bytes, status) => {
    const { url } = await start(5_000)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.end(bytes)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    await once(socket, 'close')
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain('Content-Type: application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status })
    expect(test.logText() + answer).not.toContain('canary')
  })
})
