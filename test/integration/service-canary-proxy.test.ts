/** P12 for the proxy: what goes through it stays between the caller and the upstream. */
import { request as fetchRaw } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GATEWAY_ENVIRONMENT, GATEWAY_MODEL } from '../helpers/gateway-conversation.ts'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import { callRaw, type RawAnswer } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { startTraceCollector, type TraceCollector } from '../helpers/trace-collector.ts'

const OWN_KEY = plant('own-key')
const KEYS = {
  authorization: `Bearer ${plant('authorization')}`,
  'x-api-key': plant('x-api-key'),
  'x-goog-api-key': plant('x-goog-api-key'),
  cookie: plant('cookie'),
  'user-agent': plant('user-agent'),
  'x-precis-api-key': OWN_KEY,
}

let upstream: RawUpstream
let collector: TraceCollector
let service: ServiceProcess
let metrics = ''
const problems: string[] = []
/** What reached the caller of what the upstream said. */
let passedOn = ''
const statuses = new Map<number, number>()

const said = (count: number, words: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${plant('message')} ${index} ${'and so on '.repeat(words)}`,
  }))

async function call(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = KEYS,
): Promise<RawAnswer | undefined> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const url = `${service.url}${path}`
  const answer = await callRaw(url, { body: text, headers }).catch(() => undefined)
  if (answer === undefined) return undefined
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  const whole = JSON.stringify(answer.headers) + answer.bytes.toString()
  if (answer.headers['content-type']?.startsWith('application/problem+json')) problems.push(whole)
  else passedOn += whole
  return answer
}

const CHAT = '/v1/chat/completions'
const chat = (count = 2, words = 3) => ({ model: GATEWAY_MODEL, messages: said(count, words) })

beforeAll(async () => {
  upstream = await startRawUpstream()
  collector = await startTraceCollector()
  service = await startServiceProcess({
    environment: {
      ...GATEWAY_ENVIRONMENT,
      PRECIS_UPSTREAM_OPENAI_URL: upstream.origin,
      // Speaks no TLS.
      PRECIS_UPSTREAM_ANTHROPIC_URL: upstream.origin.replace('http:', 'https:'),
      // Nobody listens there.
      PRECIS_UPSTREAM_GEMINI_URL: 'http://127.0.0.1:9',
      // The upstream is in this process, which others keep waiting on a busy machine.
      PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS: '2000',
      PRECIS_UPSTREAM_IDLE_TIMEOUT_MS: '2000',
      PRECIS_BODY_LIMIT_BYTES: '400000',
      PRECIS_API_KEYS: OWN_KEY,
      PRECIS_TRACING_URL: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  await everythingThatWorks()
  await upstreamsThatFail()
  await everythingThatIsWrong()
  metrics = (await service.metrics()).text
  expect(await service.stop()).toBe(0)
}, 2 * START_PROCESS_MS)
afterAll(async () => {
  await service?.close()
  await upstream?.close()
  await collector?.close()
})

async function everythingThatWorks(): Promise<void> {
  upstream.setHandler((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-request-id': plant('answer-header'),
      'set-cookie': plant('answer-cookie'),
    })
    response.end(JSON.stringify({ answer: plant('answer') }))
  })
  await call(CHAT, chat())
  await call(`${CHAT}?key=${plant('query')}`, chat(120, 40))
  await call('/v1/responses', { model: GATEWAY_MODEL, input: said(60, 40) })
  // Google's key says whose call it is.
  const { 'x-goog-api-key': _googles, ...others } = KEYS
  await call(`/v1/files/${plant('path')}?purpose=${plant('query')}`, plant('message'), others)
}

async function upstreamsThatFail(): Promise<void> {
  const error = { error: { message: plant('answer'), code: plant('answer') } }
  for (const status of [400, 401, 413, 429, 500, 503]) {
    upstream.setHandler((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-why': plant('answer') })
      response.end(JSON.stringify(error))
    })
    await call(CHAT, chat(120, 40))
  }
  // Too long, twice: the service has read the error, and tried again.
  upstream.setHandler((_request, response) => {
    const message = `This model's maximum context length is 3000 tokens. ${plant('answer')}`
    const body = { error: { message, type: plant('answer'), code: 'context_length_exceeded' } }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await call(CHAT, chat(60, 20))
  upstream.setHandler((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${plant('answer')}\n\n`)
    setTimeout(() => response.destroy(), 50)
  })
  await call(CHAT, chat())
  // Says half of it, and then nothing.
  upstream.setHandler((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(plant('answer'))
  })
  await call(CHAT, chat())
  for (const bytes of [`HTTP/1.1 200 ${'\u0000'}${plant('answer')}\r\n\r\n`, plant('answer'), '']) {
    upstream.setHandler(({ socket }) => socket.end(bytes))
    await call(CHAT, chat())
  }
  upstream.setHandler(() => {})
  await call(CHAT, chat())
  await call('/v1/messages', { model: 'm', max_tokens: 9, messages: said(3, 3) })
  const generate = `/v1beta/models/${plant('model')}:generateContent?key=${plant('query')}`
  await call(generate, { contents: [{ role: 'user', parts: [{ text: plant('message') }] }] })
}

async function everythingThatIsWrong(): Promise<void> {
  upstream.setHandler((_request, response) => response.end(plant('answer')))
  const stranger = { ...KEYS, 'x-precis-api-key': plant('stranger') }
  await call(CHAT, chat(), stranger)
  const { 'x-precis-api-key': _own, ...none } = KEYS
  await call(CHAT, chat(), none)
  for (const body of [`{"${plant('message')}`, `[${plant('message')}`, '"x"', '']) {
    await call(CHAT, body)
  }
  await call(CHAT, { model: GATEWAY_MODEL, messages: [{ role: plant('role'), content: 5 }] })
  await call(CHAT, ' '.repeat(400_001))
  for (const name of ['target', 'profile', 'timeout-ms', 'pins', 'bypass', 'session']) {
    await call(CHAT, chat(), { ...KEYS, [`x-precis-${name}`]: plant('setting') })
  }
  await call(`/v1/%zz${plant('path')}`, chat())
  await call(`/${plant('path')}`, chat())
  // A caller who leaves while the answer is on its way.
  const leaving = new AbortController()
  upstream.setHandler((_request, response) => {
    response.writeHead(200).write(plant('answer'))
    setTimeout(() => leaving.abort(), 20)
  })
  await fetchRaw(`${service.url}${CHAT}`, {
    method: 'POST',
    headers: { ...KEYS, 'content-type': 'application/json' },
    body: JSON.stringify(chat()),
    signal: leaving.signal,
  })
    .then((response) => response.body.text())
    .catch(() => undefined)
}

describe('what callers and upstreams say through the proxy', () => {
  it('was said, and reached whom it was for', () => {
    for (const status of [200, 400, 401, 404, 429, 500, 502, 504]) {
      expect([status, statuses.get(status) ?? 0]).toEqual([status, expect.any(Number)])
      expect(statuses.get(status), String(status)).toBeGreaterThanOrEqual(1)
    }
    expect(passedOn).toContain(plant('answer'))
    expect(passedOn).toContain(plant('answer-header'))
    const sent = upstream.requests.map(({ rawHeaders, bytes, url }) =>
      JSON.stringify([rawHeaders, url, bytes.toString()]),
    )
    for (const place of ['authorization', 'message', 'query', 'path', 'x-api-key']) {
      expect(sent.join('')).toContain(plant(place))
    }
    expect(sent.join('')).not.toContain(OWN_KEY)
  })

  it('is in no log line at any level', () => {
    const messages = service.logLines().map(({ msg }) => msg)
    expect(messages).toContain('no answer from the upstream')
    expect(messages).toContain('the answer broke off')
    expect(messages.at(-1)).toBe('stopped')
    expectNothingPlanted(service.logText())
  })

  it('is in no metric', () => {
    expect(metrics).toContain('precis_proxy_overflows_total')
    expectNothingPlanted(metrics)
  })

  it('is in no trace', () => {
    const names = new Set(collector.spans().map(({ name }) => name))
    expect([...names]).toEqual(
      expect.arrayContaining([`POST ${CHAT}`, 'proxy openai', 'proxy gemini']),
    )
    expectNothingPlanted(collector.text())
  })

  it('is in no problem document', () => {
    expect(problems.length).toBeGreaterThanOrEqual(8)
    for (const problem of problems) expectNothingPlanted(problem)
  })
})
