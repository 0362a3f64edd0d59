/** Large requests are worked on by other threads: the same answers, and the service stays awake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MetricSamples } from '../helpers/metric-samples.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { TIMED } from '../helpers/timed.ts'

const MIN_BYTES = 20_000
const TEST_MS = 120_000

let threaded: ServiceProcess
let alone: ServiceProcess

beforeAll(async () => {
  const environment = {
    PRECIS_WORKER_MIN_BYTES: String(MIN_BYTES),
    PRECIS_REQUEST_DEADLINE_MS: '90000',
  }
  ;[threaded, alone] = await Promise.all([
    startServiceProcess({ environment: { ...environment, PRECIS_WORKERS: '1' } }),
    startServiceProcess({ environment: { ...environment, PRECIS_WORKERS: '0' } }),
  ])
  // The thread compiles the source; nothing here is about how long that takes.
  await threaded.ask('/compact', { messages: conversation(200), targetTokens: 1_000_000 })
}, START_PROCESS_MS * 2)
afterAll(async () => {
  await Promise.all([threaded?.close(), alone?.close()])
})

const conversation = (length: number, words = 40) =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: Array.from({ length: words }, (_, at) => `w${(index * 131 + at * 17) % 9_973}`).join(
      ' ',
    ),
  }))

/** What takes other times on every run is left out. */
const timeless = (body: string): string =>
  body
    .replaceAll(/"(durationMs|latencyMs)":[\d.]+/g, '"$1":0')
    .replaceAll(/"instance":"[^"]*"/g, '')

async function both(path: string, body: unknown) {
  const [one, other] = await Promise.all([
    threaded.send(path, { method: 'POST', body }),
    alone.send(path, { method: 'POST', body }),
  ])
  expect(timeless(one.body)).toBe(timeless(other.body))
  expect(one.statusCode).toBe(other.statusCode)
  expect(one.headers['content-type']).toBe(other.headers['content-type'])
  return one
}

describe('the answer to a large request', () => {
  const messages = conversation(400)

  it.each(['agent', 'rubyn', 'neurolink'])(
    'is that of the service itself, byte for byte (%s)',
    async (profile) => {
      const { statusCode, body } = await both('/compact', {
        messages,
        profile,
        targetTokens: 8_000,
        explain: 'all',
      })
      expect(statusCode).toBe(200)
      expect(JSON.parse(body)).toMatchObject({ outcome: 'compacted' })
    },
    TEST_MS,
  )

  it('keeps the bytes that were posted', async () => {
    const [first = ''] = messages.map((message) => JSON.stringify(message))
    const odd = `{ "role" : "user",\t"content":"caf\\u00e9", "n": 1.0 }`
    const list = [odd, ...messages.slice(1).map((message) => JSON.stringify(message))].join(' , ')
    expect(list).not.toContain(first)
    const { body } = await both('/compact', `{"messages":[${list}],"targetTokens":8000}`)
    expect(body).toContain(odd)
  })

  it('is that of /check as well', async () => {
    const orphan = { role: 'tool', tool_call_id: 'none', content: 'x' }
    const { body } = await both('/check', {
      format: 'openai-chat',
      messages: [...messages, orphan],
    })
    expect(JSON.parse(body)).toMatchObject({ valid: false })
  })

  it.each([
    ['a setting out of range', { messages, targetTokens: -1 }, '/targetTokens'],
    ['a member that nobody knows', { messages, color: 'red' }, '/color'],
    [
      'a message that is none',
      { messages: [...messages, 7], format: 'openai-chat' },
      '/messages/400',
    ],
    ['JSON that breaks off', `${JSON.stringify({ messages }).slice(0, -5)}`, ''],
    ['too deep a nest', `{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, ''],
  ])('is the same problem for %s', async (_name, body, pointer) => {
    const answer = await both('/compact', body)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(answer.body).errors[0]).toMatchObject({ pointer })
  })
})

const compactions = (samples: MetricSamples): number => samples.sum('precis_compactions_total')

describe('the metrics', () => {
  it('count what the threads did as what the service did', async () => {
    const before = await threaded.metrics()
    await threaded.ask('/compact', { messages: conversation(200), targetTokens: 2_000 })
    await threaded.ask('/compact', { messages: conversation(10), targetTokens: 300 })
    const after = await threaded.metrics()
    expect(compactions(after) - compactions(before)).toBe(2)
    expect(after.sum('precis_http_requests_total')).toBeGreaterThan(0)
    expect(after.sum('precis_process_start_time_seconds')).toBeGreaterThan(1e9)
  })
})

/** Some seconds of work. */
const huge = (): string =>
  JSON.stringify({ messages: conversation(40_000, 60), targetTokens: 300_000 })

describe('while a large conversation is compacted', () => {
  it('probes and small requests are answered in a fraction of its time', {
    timeout: TEST_MS,
    ...TIMED,
  }, async () => {
    const body = huge()
    let isDone = false
    const large = threaded.send('/compact', { method: 'POST', body }).finally(() => {
      isDone = true
    })
    const waits: number[] = []
    while (!isDone) {
      waits.push((await threaded.send('/healthz')).milliseconds)
      const small = { messages: conversation(10), targetTokens: 300 }
      waits.push((await threaded.ask<object>('/compact', small)).milliseconds)
    }
    const { statusCode, milliseconds } = await large
    expect(statusCode).toBe(200)
    expect(waits.length).toBeGreaterThan(10)
    expect(Math.max(...waits)).toBeLessThan(milliseconds / 3)
  })

  it('a caller who leaves frees the thread for the next', {
    timeout: TEST_MS,
    ...TIMED,
  }, async () => {
    const body = huge()
    const whole = (await threaded.send('/compact', { method: 'POST', body })).milliseconds
    const leaving = new AbortController()
    const gone = threaded
      .send('/compact', { method: 'POST', body, signal: leaving.signal })
      .catch(() => 'gone')
    const startedAt = performance.now()
    setTimeout(() => leaving.abort(), whole / 4)
    expect(await gone).toBe('gone')
    await threaded.ask('/compact', { messages: conversation(200), targetTokens: 2_000 })
    expect(performance.now() - startedAt).toBeLessThan(whole)
  })
})
