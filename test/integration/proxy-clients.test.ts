/**
 * Official clients, each against an upstream that behaves like its provider: once directly, once
 * through a running Precis. Under budget, what the client makes of the two must be the same.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LLM_CLIENTS } from '../helpers/llm-clients/index.ts'
import type { LlmClient } from '../helpers/llm-clients/llm-client.ts'
import { outcome } from '../helpers/llm-clients/outcome.ts'
import { type Proxied, startProxied } from '../helpers/llm-clients/start-proxied.ts'
import type { LlmFault } from '../helpers/llm-servers/llm-fault.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { TIMED } from '../helpers/timed.ts'

describe.each(LLM_CLIENTS)('$name', (client: LlmClient) => {
  let running: Proxied

  beforeAll(async () => {
    running = await startProxied(client)
  })
  afterEach(() => running.upstream.reset())
  afterAll(() => running.close())

  it('gets the same answer, and the upstream the same request, byte for byte', async () => {
    const { direct, proxied, upstream } = running
    const [here, there] = [await direct.ask('Hello?'), await proxied.ask('Hello?')]
    expect(here.text).not.toBe('')
    expect(there.everything).toEqual(here.everything)
    const [first, second] = upstream.requests
    expect(second?.target).toBe(first?.target)
    expect(String(second?.bytes)).toBe(String(first?.bytes))
    expect(endToEnd(second?.rawHeaders)).toEqual(endToEnd(first?.rawHeaders))
  })

  it('streams the same chunks in the same order', async () => {
    const { direct, proxied, upstream } = running
    upstream.setRules({ answerWords: 200, pace: { delayMs: 0, splitBytes: 7 } })
    const [here, there] = [await direct.stream('Hello?'), await proxied.stream('Hello?')]
    expect(here.text.split(' ')).toHaveLength(200)
    expect(there.everything).toEqual(here.everything)
  })

  it('reads compressed answers and streams', async () => {
    const { direct, proxied, upstream } = running
    upstream.setRules({ compress: true, answerWords: 200 })
    for (const way of ['ask', 'stream'] as const) {
      const [here, there] = [await direct[way]('Hello?'), await proxied[way]('Hello?')]
      expect(here.text.split(' ')).toHaveLength(200)
      expect(there.everything).toEqual(here.everything)
    }
  })

  it('aborts in the middle of a stream, and the upstream sees it at once', TIMED, async () => {
    const { proxied, upstream, service } = running
    upstream.setRules({ answerWords: 5_000, pace: { delayMs: 5, splitBytes: 0 } })
    const controller = new AbortController()
    let chunks = 0
    const streaming = proxied.stream('Hello?', {
      signal: controller.signal,
      onChunk: () => {
        chunks += 1
      },
    })
    const ended = streaming.catch(() => {})
    await eventually(() => chunks > 5)
    const inFlight = async () => (await service.metrics()).sum('precis_http_requests_in_flight')
    expect(await inFlight()).toBe(1)
    controller.abort()
    const abortedAt = performance.now()
    await ended
    await expect(upstream.requests[0]?.closed).resolves.toBe('aborted')
    expect(performance.now() - abortedAt).toBeLessThan(1_000)
    await eventually(async () => (await inFlight()) === 0)
  })

  it.each<LlmFault>([
    { kind: 'error-mid-answer', afterEvents: 4 },
    { kind: 'reset-mid-answer', afterEvents: 4 },
    { kind: 'cut-mid-answer', afterEvents: 4 },
    // Right behind the head, before the first event.
    { kind: 'reset-mid-answer', afterEvents: 0 },
    { kind: 'cut-mid-answer', afterEvents: 0 },
  ])('sees a stream break off as it does without Precis: %o', async (fault) => {
    const { direct, proxied, upstream } = running
    const whole = await direct.stream('Hello?')
    upstream.setFault(fault)
    const here = await outcome(direct.stream('Hello?'))
    expect(await outcome(proxied.stream('Hello?'))).toEqual(here)
    expect(here).not.toEqual({ got: whole.everything })
  })

  it('is told by Precis where the upstream breaks off before its answer', async () => {
    const { proxied, upstream } = running
    upstream.setFault({ kind: 'reset' })
    for (const way of ['ask', 'stream'] as const) {
      const failure = (await outcome(proxied[way]('Hello?'))) as Record<string, unknown>
      expect(failure.status ?? failure.statusCode).toBe(502)
    }
    expect(upstream.requests).toHaveLength(2)
  })

  it.each([400, 401, 404, 429, 500, 503, 529])(
    'sees the status %d as it does without Precis',
    async (status) => {
      const { direct, proxied, upstream } = running
      upstream.setFault({ kind: 'status', status, headers: { 'retry-after': '7' } })
      for (const way of ['ask', 'stream'] as const) {
        const here = await outcome(direct[way]('Hello?'))
        expect(here).not.toHaveProperty('got')
        expect(await outcome(proxied[way]('Hello?'))).toEqual(here)
      }
      // Nobody has tried again.
      expect(upstream.requests).toHaveLength(4)
    },
  )
})

/** Names and values, in their order, of what a message keeps over any number of hops. */
function endToEnd(raw: readonly string[] = []): readonly string[] {
  const hop = new Set(['host', 'connection', 'keep-alive', 'content-length'])
  return raw
    .flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1]}`] : []))
    .filter((line) => !hop.has(line.split(':')[0]?.toLowerCase() ?? ''))
}
