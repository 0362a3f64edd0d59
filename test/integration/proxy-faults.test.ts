import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callRaw, eventually, openRaw, readWhole } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

const PATH = '/v1/chat/completions'
const BODY = '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi."}]}'
const EVENT = 'data: {"choices":[{"delta":{"content":"word "}}]}\n\n'

let upstream: RawUpstream
let service: RunningService
async function start(environment: Readonly<Record<string, string>> = {}) {
  upstream = await startRawUpstream()
  service = await startProxy(upstream.origin, environment)
}
afterEach(async () => {
  await service.close()
  await upstream.close()
})

const post = (url = service.url) => callRaw(`${url}${PATH}`, { body: BODY })
const upstreamResults = async () =>
  (await service.metrics()).by('precis_proxy_upstream_total', 'result')
const relayResults = async () => (await service.metrics()).by('precis_proxy_relays_total', 'result')
const inFlight = async () => (await service.metrics()).sum('precis_http_requests_in_flight')

const problemOf = (bytes: Buffer) => JSON.parse(bytes.toString()) as Record<string, unknown>

describe('an upstream that gives no answer', () => {
  it('is a 504 where it hangs, in words that clients of any API read', async () => {
    await start({ PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS: '300' })
    upstream.setHandler(() => {})
    const answer = await post()
    expect(answer.status).toBe(504)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(answer.headers).toMatchObject({ 'x-precis-outcome': 'unchanged' })
    expect(problemOf(answer.bytes)).toMatchObject({
      code: 'upstream-timeout',
      retryable: true,
      error: {
        type: 'precis:upstream-timeout',
        code: 'upstream-timeout',
        message: expect.any(String),
      },
    })
    await upstream.requests[0]?.socketClosed
    expect(await upstreamResults()).toEqual({ timeout: 1 })
    expect(await inFlight()).toBe(0)
  })

  it('is a 502 where it breaks the connection or is not there', async () => {
    await start()
    upstream.setHandler((request) => request.socket.resetAndDestroy())
    const broken = await post()
    expect([broken.status, problemOf(broken.bytes).code]).toEqual([502, 'upstream-unreachable'])
    expect(upstream.requests).toHaveLength(1)
    await upstream.close()
    const refused = await post()
    expect([refused.status, problemOf(refused.bytes).code]).toEqual([502, 'upstream-unreachable'])
    expect(await upstreamResults()).toEqual({ unreachable: 2 })
    expect(
      (await service.metrics()).sum('precis_http_problems_total', { code: 'upstream-unreachable' }),
    ).toBe(2)
  })

  it('is a 502 where it does not speak HTTP', async () => {
    await start()
    upstream.setHandler((request) => request.socket.end('220 smtp.example ESMTP\r\n\r\n'))
    expect((await post()).status).toBe(502)
  })
})

describe('an answer that breaks', () => {
  const breakAfter = (
    end: (request: Parameters<Parameters<RawUpstream['setHandler']>[0]>[0]) => void,
  ) => {
    upstream.setHandler((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENT)
      setTimeout(() => end(request), 50)
    })
  }

  it.each([
    [
      'reset',
      (request: { socket: { resetAndDestroy: () => unknown } }) => request.socket.resetAndDestroy(),
    ],
    ['closed', (request: { socket: { destroy: () => unknown } }) => request.socket.destroy()],
    ['silent', () => {}],
  ] as const)('in mid-stream is never taken for whole: %s', async (name, end) => {
    await start(name === 'silent' ? { PRECIS_UPSTREAM_IDLE_TIMEOUT_MS: '400' } : {})
    breakAfter(end)
    const answer = await post()
    expect([answer.status, answer.bytes.toString(), answer.isWhole]).toEqual([200, EVENT, false])
    expect(await relayResults()).toEqual({ 'upstream-broke': 1 })
    await eventually(async () => (await inFlight()) === 0)
    expect(service.logText()).toContain('the answer broke off')
  })

  it('is a reset for a client of HTTP/1.0, to which an end would be an end', async () => {
    await start()
    breakAfter((request) => request.socket.resetAndDestroy())
    const { port } = new URL(service.url)
    const end = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(
        `POST ${PATH} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
      )
      socket.resume()
      socket.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''))
      socket.once('end', () => resolve('end'))
    })
    expect(end).toBe('ECONNRESET')
  })

  it('with a length of its own ends short of it', async () => {
    await start()
    upstream.setHandler((request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"half":')
      setTimeout(() => request.socket.destroy(), 50)
    })
    const answer = await post()
    expect([answer.status, answer.isWhole]).toEqual([200, false])
  })
})

describe('a stream', () => {
  beforeEach(() => start({ PRECIS_REQUEST_DEADLINE_MS: '300' }))

  it('passes as it trickles, past the deadline of other requests', TIMED, async () => {
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let sent = 0
      const timer = setInterval(() => {
        response.write(String(sent))
        sent += 1
        if (sent === 10) {
          clearInterval(timer)
          response.end()
        }
      }, 100)
    })
    const startedAt = performance.now()
    const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
    const headAt = performance.now() - startedAt
    const arrivals: number[] = []
    response.on('data', () => arrivals.push(performance.now() - startedAt))
    const answer = await readWhole(response)
    expect([answer.bytes.toString(), answer.isWhole]).toEqual(['0123456789', true])
    expect(arrivals.length).toBeGreaterThan(5)
    const lastAt = arrivals.at(-1) ?? 0
    expect(lastAt).toBeGreaterThan(900)
    expect(headAt).toBeLessThan(lastAt / 2)
  })

  it('begins when the upstream says so, before there is a byte of it', TIMED, async () => {
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      setTimeout(() => response.end(EVENT), 1_000)
    })
    const startedAt = performance.now()
    const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
    expect(performance.now() - startedAt).toBeLessThan(800)
    expect((await readWhole(response)).bytes.toString()).toBe(EVENT)
  })

  it('waits for a model that thinks longer than the deadline of other requests', async () => {
    upstream.setHandler((_request, response) => setTimeout(() => response.end('{"ok":true}'), 900))
    expect((await post()).bytes.toString()).toBe('{"ok":true}')
  })

  it('goes no faster than the caller reads', async () => {
    let written = 0
    upstream.setHandler((_request, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(256 * 1024)
      const more = () => {
        while (written < 400 && response.write(chunk)) written += 1
        if (written < 400) response.once('drain', more)
        else response.end()
        written += 1
      }
      more()
    })
    const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
    response.pause()
    let before = -1
    while (written !== before) {
      before = written
      await sleep(300)
    }
    // 100 MB were there to send; what fits into the buffers of four sockets is a few.
    expect(written).toBeLessThan(100)
    const answer = await readWhole(response.resume())
    expect(answer.isWhole).toBe(true)
    expect(answer.bytes.length).toBeGreaterThanOrEqual(390 * 256 * 1024)
  })
})

describe('a caller who leaves', () => {
  beforeEach(() => start())

  /** Gives what lets the caller leave. */
  const leaving = {
    'before the head': async () => {
      upstream.setHandler(() => {})
      const controller = new AbortController()
      const gone = service
        .send(PATH, { method: 'POST', body: BODY, signal: controller.signal })
        .catch(() => 'gone')
      await eventually(() => upstream.requests.length === 1)
      return async () => {
        controller.abort()
        expect(await gone).toBe('gone')
      }
    },
    'in mid-stream': async () => {
      upstream.setHandler((_request, response) => {
        const timer = setInterval(() => response.write(EVENT), 20)
        response.once('close', () => clearInterval(timer))
      })
      const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
      await once(response, 'data')
      return async () => {
        response.destroy()
      }
    },
  }

  it.each(['before the head', 'in mid-stream'] as const)(
    'ends the work upstream at once: %s',
    { timeout: 60_000, ...TIMED },
    async (when) => {
      const leave = await leaving[when]()
      const leftAt = performance.now()
      await leave()
      await upstream.requests[0]?.socketClosed
      expect(performance.now() - leftAt).toBeLessThan(1_000)
      await eventually(async () => (await inFlight()) === 0)
      // undici opens another connection for whoever comes next, and closes it when nobody does.
      await eventually(() => upstream.openSockets() === 0)
      if (when === 'in mid-stream') expect(await relayResults()).toEqual({ 'caller-left': 1 })
      else expect(await upstreamResults()).toEqual({ aborted: 1 })
      expect(service.logText()).not.toContain('the answer broke off')
    },
  )
})

describe('many at once', () => {
  it('a hundred streams, of which half are left, leak nothing', async () => {
    await start({ PRECIS_MAX_CONCURRENT_REQUESTS: '200' })
    const release = new Set<() => void>()
    let left = 0
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENT)
      release.add(() => response.end(EVENT.repeat(19)))
      response.once('close', () => {
        if (!response.writableFinished) left += 1
      })
    })
    const timersBefore = timers()
    const run = async () => {
      left = 0
      const agent = new Agent({ keepAlive: false })
      const open = await Promise.all(
        Array.from({ length: 100 }, () => openRaw(`${service.url}${PATH}`, { body: BODY, agent })),
      )
      expect(await inFlight()).toBe(100)
      const answers = open.map((response, index) => {
        if (index % 2 === 0) return readWhole(response)
        response.destroy()
        return undefined
      })
      await eventually(() => left === 50)
      for (const end of release) end()
      release.clear()
      for (const answer of await Promise.all(answers)) {
        if (answer === undefined) continue
        expect([answer.isWhole, answer.bytes.toString()]).toEqual([true, EVENT.repeat(20)])
      }
      await eventually(async () => (await inFlight()) === 0)
    }
    await run()
    const results = await relayResults()
    expect(results).toEqual({ complete: 50, 'caller-left': 50 })
    await run()
    // Idle connections are closed before the server closes them; a metrics scrape keeps one to us.
    await eventually(() => upstream.openSockets() === 0)
    await eventually(() => timers() <= timersBefore + 2)
  }, 60_000)

  it('keeps connections on both sides for one request after the other', async () => {
    await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (let turn = 0; turn < 20; turn += 1) {
      const response = await openRaw(`${service.url}${PATH}`, { body: BODY, agent })
      ports.add(response.socket.localPort)
      expect((await readWholeKeptOpen(response)).length).toBeGreaterThan(0)
    }
    expect([ports.size, upstream.connections()]).toEqual([1, 1])
    agent.destroy()
  })

  it('are bounded like other work', async () => {
    await start({ PRECIS_MAX_CONCURRENT_REQUESTS: '1' })
    let answer: (() => void) | undefined
    upstream.setHandler((_request, response) => {
      answer = () => response.end('{}')
    })
    const first = post()
    await eventually(() => answer !== undefined)
    const second = await post()
    expect([second.status, problemOf(second.bytes).code]).toEqual([503, 'overloaded'])
    expect(second.headers['retry-after']).toBeDefined()
    answer?.()
    expect((await first).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
  })
})

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

async function readWholeKeptOpen(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks)
}
