import { afterEach, describe, expect, test } from 'vitest'
import type { BreakerState } from '../../src/outbound/circuit-breaker.ts'
import type {
  AttemptReport,
  OutboundClient,
  OutboundClientOptions,
} from '../../src/outbound/outbound.ts'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { type DecideServer, startDecideServer } from '../helpers/decide-servers/decide-server.ts'
import { isSilent } from '../helpers/decide-servers/fault.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { TIMED } from '../helpers/timed.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A service that answers what it was sent, and a client of it, on a clock that can be put forward. */
async function setUp(options: Partial<OutboundClientOptions> = {}): Promise<{
  server: DecideServer
  client: OutboundClient
  attempts: AttemptReport[]
  states: BreakerState[]
  skip: (ms: number) => void
}> {
  let skipped = 0
  const server = await startDecideServer({
    path: '/echo?version=1',
    reply: ({ json }) => ({ status: 200, json: { echo: json } }),
    errorReply: (status) => ({ status, json: { error: { code: 'some_code' } } }),
    maxTokensReply: () => ({ status: 413, json: {} }),
    spoil: (json) => json,
  })
  const attempts: AttemptReport[] = []
  const states: BreakerState[] = []
  const client = createOutboundClient({
    url: server.url,
    random: () => 0,
    now: () => performance.now() + skipped,
    observer: {
      onAttempt: (report) => attempts.push(report),
      onBreaker: (state) => states.push(state),
    },
    ...options,
  })
  open.push(server, client)
  const skip = (ms: number) => {
    skipped += ms
  }
  return { server, client, attempts, states, skip }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an outbound call', () => {
  test('posts JSON to the very URL, with the headers of the client and of the call', async () => {
    const { server, client } = await setUp({ headers: { authorization: 'Bearer k', 'x-a': '1' } })
    const result = await client.send({ text: 'grüß 😀' }, { headers: { 'x-a': '2' } })
    expect(result).toMatchObject({
      ok: true,
      status: 200,
      attempts: 1,
      json: { echo: { text: 'grüß 😀' } },
    })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/echo?version=1',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer k',
        'x-a': '2',
      },
    })
  })

  test('keeps its connections for the next calls', async () => {
    const { server, client } = await setUp()
    for (let call = 0; call < 20; call += 1) await client.send({ call })
    // The second is made while the first is still being handed back.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  test('reports each attempt, with its status and without any text', async () => {
    const { server, client, attempts } = await setUp()
    server.faultNext({ status: 500 })
    await client.send({ text: 'secret words' })
    expect(attempts).toEqual([
      { outcome: 'server', status: 500, latencyMs: expect.any(Number) },
      { outcome: 'ok', status: 200, latencyMs: expect.any(Number) },
    ])
  })

  test('cannot be lost by whoever watches it', async () => {
    const fail = () => {
      throw new Error('the watcher has a bug')
    }
    const { client } = await setUp({ observer: { onAttempt: fail, onBreaker: fail } })
    expect(await client.send({})).toMatchObject({ ok: true })
  })

  test('fails as an error, without a request, when its body is not JSON', async () => {
    const { server, client } = await setUp()
    expect(await client.send({ big: 1n })).toMatchObject({ failure: 'error', attempts: 0 })
    expect(server.requests).toHaveLength(0)
    expect(await client.send({})).toMatchObject({ ok: true })
  })

  test('fails as an error, once, when the classifier has a bug', async () => {
    const classify = () => {
      throw new Error('the classifier has a bug')
    }
    const { server, client } = await setUp({ classify })
    server.setFault({ status: 500 })
    expect(await client.send({})).toMatchObject({ failure: 'error', attempts: 1 })
  })

  test.each(['ftp://host/x', '/v1/systemone', 'not a url', '', 'http://user:secret@host/x'])(
    'is refused at the start for the URL %j, which is not repeated',
    (url) => {
      expect(() => createOutboundClient({ url })).toThrow(TypeError)
      expect(() => createOutboundClient({ url })).not.toThrow(/secret|systemone/)
    },
  )
})

describe('a retry', () => {
  test.each([408, 429, 500, 502, 503, 504, 529] as const)('follows %i', async (status) => {
    const { server, client } = await setUp()
    server.faultNext({ status })
    expect(await client.send({})).toMatchObject({ ok: true, attempts: 2 })
  })

  test.each([400, 401, 403, 404, 413, 422] as const)('does not follow %i', async (status) => {
    const { server, client } = await setUp()
    server.faultNext({ status })
    expect(await client.send({})).toMatchObject({ ok: false, status, attempts: 1 })
  })

  test.each(['reset', 'cut-off', 'hang', 'drip'] as const)('follows %s', async (fault) => {
    const { server, client } = await setUp(isSilent(fault) ? { timeoutMs: 1_000 } : {})
    server.faultNext(fault)
    expect(await client.send({ padding: 'x'.repeat(100) })).toMatchObject({
      ok: true,
      attempts: 2,
    })
  })

  test('happens once', async () => {
    const { server, client } = await setUp()
    server.setFault({ status: 500 })
    expect(await client.send({})).toMatchObject({ failure: 'server', status: 500, attempts: 2 })
    expect(server.requests).toHaveLength(2)
  })

  test('waits for its backoff', TIMED, async () => {
    const { server, client } = await setUp({ random: () => 0.4 })
    server.faultNext({ status: 500 })
    const { latencyMs } = await client.send({})
    expect(latencyMs).toBeGreaterThanOrEqual(345)
    expect(latencyMs).toBeLessThan(900)
  })

  test.each([
    ['retry-after-ms', '40', 40],
    ['retry-after', '1', 1_000],
  ])('waits for as long as %s: %s says', TIMED, async (header, value, ms) => {
    const { server, client } = await setUp()
    server.faultNext({ status: 429, headers: { [header]: value } })
    const result = await client.send({})
    expect(result).toMatchObject({ ok: true, attempts: 2 })
    expect(result.latencyMs).toBeGreaterThanOrEqual(ms - 5)
    expect(result.latencyMs).toBeLessThan(ms + 600)
  })

  test('waits until the date that Retry-After names', TIMED, async () => {
    const wall = Date.parse('2026-11-29T12:00:00.400Z')
    const { server, client } = await setUp({ wallNow: () => wall })
    server.faultNext({ status: 503, headers: { 'retry-after': 'Sun, 29 Nov 2026 12:00:01 GMT' } })
    const { latencyMs } = await client.send({})
    expect(latencyMs).toBeGreaterThanOrEqual(595)
    expect(latencyMs).toBeLessThan(1_200)
  })

  test('does not wait past the deadline, and says at once what went wrong', TIMED, async () => {
    const { server, client } = await setUp()
    server.setFault({ status: 429, headers: { 'retry-after': '2' } })
    const result = await client.send({}, { deadlineAt: performance.now() + 1_000 })
    expect(result).toMatchObject({ failure: 'rate-limit', status: 429, attempts: 1 })
    expect(result.latencyMs).toBeLessThan(600)
  })

  test('does not wait for a server that wants to be left alone for long', TIMED, async () => {
    const { server, client } = await setUp({ maxRetryAfterMs: 1_000 })
    server.setFault({ status: 429, headers: { 'retry-after': '3600' } })
    const result = await client.send({})
    expect(result).toMatchObject({ failure: 'rate-limit', attempts: 1 })
    expect(result.latencyMs).toBeLessThan(600)
  })
})

describe('time', () => {
  test('of one attempt ends at the timeout, a dripping body included', TIMED, async () => {
    const { server, client } = await setUp({ timeoutMs: 200, maxRetries: 0 })
    server.setFault('drip')
    const result = await client.send({ padding: 'x'.repeat(100) })
    expect(result).toMatchObject({ failure: 'timeout', attempts: 1 })
    expect(result.latencyMs).toBeGreaterThanOrEqual(195)
    expect(result.latencyMs).toBeLessThan(800)
  })

  test('of all attempts ends at the deadline', TIMED, async () => {
    const { server, client } = await setUp({ timeoutMs: 200 })
    server.setFault('hang')
    const result = await client.send({}, { deadlineAt: performance.now() + 550 })
    expect(result).toMatchObject({ failure: 'deadline', attempts: 2 })
    expect(result.latencyMs).toBeLessThan(1_000)
  })

  test('that is over already lets nothing be sent', async () => {
    const { server, client } = await setUp()
    expect(await client.send({}, { deadlineAt: performance.now() - 1 })).toMatchObject({
      failure: 'deadline',
      attempts: 0,
    })
    expect(server.requests).toHaveLength(0)
  })

  test('that runs out by the caller’s signal is a deadline', async () => {
    const { server, client } = await setUp()
    server.setFault('hang')
    expect(await client.send({}, { signal: AbortSignal.timeout(100) })).toMatchObject({
      failure: 'deadline',
      attempts: 1,
    })
  })

  test('is not spent on a port where nobody listens', TIMED, async () => {
    const { server, client } = await setUp()
    await server.close()
    const result = await client.send({})
    expect(result).toMatchObject({ failure: 'network', attempts: 2 })
    expect(result.latencyMs).toBeLessThan(1_000)
  })
})

describe('a caller who goes away', () => {
  test('is not retried, and the socket is free', async () => {
    const { server, client } = await setUp()
    server.setFault('hang')
    const controller = new AbortController()
    const sending = client.send({}, { signal: controller.signal })
    await eventually(() => server.requests.length === 1)
    expect(server.closedSockets()).toBe(0)
    controller.abort()
    expect(await sending).toMatchObject({ failure: 'aborted', attempts: 1 })
    await eventually(() => server.closedSockets() === 1)
    expect(server.closedSockets()).toBe(1)
    expect(server.requests).toHaveLength(1)
  })

  test('does not wait for the backoff', TIMED, async () => {
    const { server, client } = await setUp()
    server.setFault({ status: 429, headers: { 'retry-after': '5' } })
    const controller = new AbortController()
    const sending = client.send({}, { signal: controller.signal })
    await eventually(() => server.requests.length === 1)
    await wait(50)
    controller.abort()
    const result = await sending
    expect(result).toMatchObject({ failure: 'aborted', attempts: 1 })
    expect(result.latencyMs).toBeLessThan(500)
  })

  test('leaves the slot to the next', async () => {
    const { server, client } = await setUp({ maxConcurrency: 1 })
    server.faultNext('hang')
    const controller = new AbortController()
    const gone = client.send({}, { signal: controller.signal })
    await eventually(() => server.requests.length === 1)
    const next = client.send({ second: true })
    controller.abort()
    expect(await gone).toMatchObject({ failure: 'aborted' })
    expect(await next).toMatchObject({ ok: true })
  })
})

describe('many calls', () => {
  test('run at most so many at a time, and are turned away beyond the queue', async () => {
    const { server, client } = await setUp({ maxConcurrency: 2, maxQueue: 3, timeoutMs: 60_000 })
    server.setFault('hang')
    const callers = Array.from({ length: 7 }, () => new AbortController())
    const calls = callers.map(({ signal }, call) => client.send({ call }, { signal }))
    for (const [gone, caller] of callers.slice(0, 5).entries()) {
      const sent = Math.min(5, gone + 2)
      await eventually(() => server.requests.length === sent)
      if (gone === 0) await wait(50)
      expect(server.requests.map(({ json }) => (json as { call: number }).call)).toEqual(
        Array.from({ length: sent }, (_, call) => call),
      )
      caller.abort()
    }
    const failures = (await Promise.all(calls)).map((result) => !result.ok && result.failure)
    expect(failures).toEqual([...Array(5).fill('aborted'), 'busy', 'busy'])
  })

  test('do not wait for their turn for ever', TIMED, async () => {
    const { server, client } = await setUp({
      maxConcurrency: 1,
      maxWaitMs: 100,
      timeoutMs: 1_000,
      maxRetries: 0,
    })
    server.setFault('hang')
    const first = client.send({})
    const second = await client.send({})
    expect(second).toMatchObject({ failure: 'busy', attempts: 0 })
    expect(second.latencyMs).toBeLessThan(600)
    await first
  })
})

describe('the breaker', () => {
  test(
    'opens after repeated failures, lets one probe through, and closes when it is answered',
    TIMED,
    async () => {
      const { server, client, states, skip } = await setUp({
        timeoutMs: 1_000,
        maxRetries: 0,
        breakerThreshold: 3,
        breakerOpenMs: 60_000,
      })
      server.setFault({ status: 500 })
      for (let call = 0; call < 3; call += 1) await client.send({})
      expect(client.breakerState()).toBe('open')
      const refused = await client.send({})
      expect(refused).toMatchObject({ failure: 'breaker-open', attempts: 0 })
      expect(refused.latencyMs).toBeLessThan(100)
      expect(server.requests).toHaveLength(3)

      skip(60_000)
      server.setFault('hang')
      const probe = client.send({})
      await eventually(() => server.requests.length === 4)
      expect(await client.send({})).toMatchObject({ failure: 'breaker-open', attempts: 0 })
      expect(await probe).toMatchObject({ failure: 'timeout' })
      expect(client.breakerState()).toBe('open')

      skip(60_000)
      server.setFault(undefined)
      expect(await client.send({})).toMatchObject({ ok: true })
      expect(client.breakerState()).toBe('closed')
      expect(states).toEqual(['open', 'half-open', 'open', 'half-open', 'closed'])
    },
  )

  test('opens in the middle of a call, which then ends with what it has', async () => {
    const { server, client } = await setUp({ breakerThreshold: 1, breakerOpenMs: 5_000 })
    server.setFault({ status: 529 })
    expect(await client.send({})).toMatchObject({ failure: 'overloaded', attempts: 1 })
  })

  test.each([401, 403] as const)('opens at once, and for longer, on %i', async (status) => {
    const { server, client, skip } = await setUp({
      breakerOpenMs: 60_000,
      breakerRefusedOpenMs: 300_000,
    })
    server.faultNext({ status })
    expect(await client.send({})).toMatchObject({ failure: 'authentication', attempts: 1 })
    skip(200_000)
    expect(await client.send({})).toMatchObject({ failure: 'breaker-open' })
    skip(100_000)
    expect(await client.send({})).toMatchObject({ ok: true })
  })

  test.each([400, 413, 422] as const)('stays closed however often %i comes', async (status) => {
    const { server, client } = await setUp({ breakerThreshold: 2 })
    server.setFault({ status })
    for (let call = 0; call < 5; call += 1) await client.send({})
    expect(client.breakerState()).toBe('closed')
  })

  test('stays closed when callers go away', async () => {
    const { server, client } = await setUp({ breakerThreshold: 1 })
    server.setFault('hang')
    const controller = new AbortController()
    const sending = client.send({}, { signal: controller.signal })
    await eventually(() => server.requests.length === 1)
    controller.abort()
    await sending
    expect(client.breakerState()).toBe('closed')
  })

  const outOfTime = () => new DOMException('The caller has no more time.', 'TimeoutError')

  test.each([
    [
      'learns of a server that hangs from callers whose time is shorter than the timeout',
      35_000,
      'open',
    ],
    ['learns nothing from callers who gave the server no time', 25_000, 'closed'],
  ] as const)('%s', async (_, ms, state) => {
    const { server, client, skip } = await setUp({ breakerThreshold: 2, timeoutMs: 60_000 })
    server.setFault('hang')
    for (let call = 1; call <= 4 && client.breakerState() === 'closed'; call += 1) {
      const caller = new AbortController()
      const sending = client.send({}, { signal: caller.signal })
      await eventually(() => server.requests.length === call)
      skip(ms)
      caller.abort(outOfTime())
      expect(await sending).toMatchObject({ failure: 'deadline', attempts: 1 })
    }
    expect(client.breakerState()).toBe(state)
    expect(server.requests).toHaveLength(state === 'open' ? 2 : 4)
  })
})

describe('a response', () => {
  test('that is larger than the bound is malformed, and not read to its end', async () => {
    const { server, client } = await setUp({ maxResponseBytes: 64 * 1024 })
    server.setFault('huge')
    expect(await client.send({})).toMatchObject({ failure: 'malformed-response', attempts: 1 })
    await eventually(() => server.closedSockets() === 1)
    expect(server.closedSockets()).toBe(1)
  })

  test.each(['garbage', 'web-page', 'empty', 'truncated-json'] as const)(
    'of %s is malformed and not asked for again',
    async (fault) => {
      const { server, client } = await setUp()
      server.setFault(fault)
      expect(await client.send({})).toMatchObject({
        ok: false,
        failure: 'malformed-response',
        status: 200,
        attempts: 1,
      })
    },
  )
})

describe('closing', () => {
  test('ends what runs, what waits for its turn and what waits for its retry', async () => {
    const { server, client } = await setUp({ maxConcurrency: 2 })
    server.faultNext('hang', { status: 429, headers: { 'retry-after': '5' } })
    const calls = [client.send({}), client.send({}), client.send({})]
    await eventually(() => server.requests.length === 2)
    await wait(50)
    await client.close()
    const results = await Promise.all(calls)
    expect(results.map((result) => !result.ok && result.failure)).toEqual(Array(3).fill('aborted'))
    await eventually(() => server.openSockets() === 0)
    expect(server.openSockets()).toBe(0)
  })

  test('lets no later call through', async () => {
    const { server, client } = await setUp()
    await client.close()
    expect(await client.send({})).toMatchObject({ failure: 'aborted', attempts: 0 })
    expect(server.requests).toHaveLength(0)
  })
})
