/** While bodies of 20 MB are compacted on their way, the service answers everybody else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { upstreamVariables } from '../helpers/service-pair.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { TIMED } from '../helpers/timed.ts'

const MEGABYTES = 20
const TEST_MS = 150_000
const CHAT = '/v1/chat/completions'

let made = 0
let upstream: RawUpstream
/** A judge looks up from its work now and then; without one it is a single long piece. */
let unjudged: ServiceProcess
let judged: ServiceProcess

beforeAll(async () => {
  upstream = await startRawUpstream()
  const environment = {
    ...upstreamVariables(upstream.origin),
    PRECIS_WORKERS: '1',
    PRECIS_REQUEST_DEADLINE_MS: '120000',
    PRECIS_PROXY_COMPACTION_DEADLINE_MS: '120000',
  }
  ;[unjudged, judged] = await Promise.all([
    startServiceProcess({ environment: { ...environment, PRECIS_DECIDE_WIRE: 'none' } }),
    startServiceProcess({ environment }),
  ])
  // The thread compiles the source; nothing here is about how long that takes.
  const warmUp = { messages: conversation(0.4), targetTokens: 1_000 }
  await Promise.all([unjudged.ask('/compact', warmUp), judged.ask('/compact', warmUp)])
}, START_PROCESS_MS * 2)
afterAll(async () => {
  await Promise.all([unjudged?.close(), judged?.close()])
  await upstream?.close()
})

/** Of texts that were never sent before: what a thread has seen it remembers. */
function conversation(megabytes: number) {
  made += 1
  const words = (index: number) =>
    Array.from({ length: 60 }, (_, at) => `w${(index * 131 + at * 17) % 9_973}`).join(' ')
  return Array.from({ length: Math.ceil(megabytes * 2_700) }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${made} ${words(index)}`,
  }))
}

const large = (): string =>
  JSON.stringify({ model: 'gpt-4o', messages: conversation(MEGABYTES), token_budget: 300_000 })
const small = { model: 'gpt-4o', messages: conversation(0.02), targetTokens: 8_000 }

type Answer = Awaited<ReturnType<ServiceProcess['send']>>
type Call = (service: ServiceProcess, body: string, signal?: AbortSignal) => Promise<Answer>

const posted =
  (path: string, headers: Readonly<Record<string, string>> = {}): Call =>
  (service, body, signal) =>
    service.send(path, { method: 'POST', body, headers, ...(signal !== undefined && { signal }) })
const proxied = (target: number) => posted(CHAT, { 'x-precis-target': String(target) })

const LARGE_CALLS: readonly [string, Call][] = [
  ['proxied', proxied(300_000)],
  ['posted by a gateway', posted('/v1/compress')],
]

describe.each(LARGE_CALLS)(`while ${MEGABYTES} MB that are %s are worked on`, (_name, send) => {
  it('probes, metrics and small requests are answered in a fraction of that time', {
    timeout: TEST_MS,
    ...TIMED,
  }, async () => {
    const body = large()
    expect(body.length).toBeGreaterThan(MEGABYTES * 1e6)
    let isDone = false
    const answer = send(unjudged, body).finally(() => {
      isDone = true
    })
    const waits: number[] = []
    while (!isDone) {
      waits.push((await unjudged.send('/healthz')).milliseconds)
      waits.push((await unjudged.send('/metrics')).milliseconds)
      waits.push((await unjudged.ask<object>('/compact', small)).milliseconds)
      const one = await proxied(8_000)(unjudged, JSON.stringify(small))
      expect(one.headers['x-precis-outcome']).toMatch(/^(compacted|partial)$/)
      waits.push(one.milliseconds)
    }
    const { statusCode, milliseconds, headers } = await answer
    expect(statusCode).toBe(200)
    expect(headers['x-precis-outcome']).toMatch(/^(compacted|partial)$/)
    expect(waits.length).toBeGreaterThan(10)
    expect(Math.max(...waits)).toBeLessThan(milliseconds / 3)
  })

  it('a caller who leaves frees the thread for the next', {
    timeout: TEST_MS,
    ...TIMED,
  }, async () => {
    const whole = (await send(judged, large())).milliseconds
    const sent = upstream.requests.length
    const leaving = new AbortController()
    const gone = send(judged, large(), leaving.signal).catch(() => 'gone')
    const startedAt = performance.now()
    setTimeout(() => leaving.abort(), whole / 4)
    expect(await gone).toBe('gone')
    await judged.ask('/compact', { messages: conversation(0.4), targetTokens: 1_000 })
    expect(performance.now() - startedAt).toBeLessThan(whole)
    expect(upstream.requests).toHaveLength(sent)
  })
})

describe('a body that fits, while the only thread is busy', () => {
  it('is sent on at once, and its answer does not wait for a count', {
    timeout: TEST_MS,
    ...TIMED,
  }, async () => {
    const busy = proxied(300_000)(judged, large())
    const fits = JSON.stringify({ model: 'gemini-2.5-pro', messages: conversation(0.3) })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const startedAt = performance.now()
    const answer = await callRaw(`${judged.url}${CHAT}`, { body: fits })
    const waited = performance.now() - startedAt
    const { milliseconds } = await busy
    expect(answer.headers['x-precis-outcome']).toBe('unchanged')
    expect(upstream.requests.some(({ bytes }) => bytes.equals(Buffer.from(fits)))).toBe(true)
    expect(waited).toBeLessThan(milliseconds / 2)
  })
})
