/** A thread that ends, is late or is not to be had costs no caller its request. */
import { afterEach, describe, expect, it } from 'vitest'
import { portkeyWebhook } from '../golden/gateways/requests.ts'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { upstreamVariables } from '../helpers/service-pair.ts'
import { START_PROCESS_MS, startServiceProcess } from '../helpers/start-service-process.ts'

const CHAT = '/v1/chat/completions'
const TEST_MS = START_PROCESS_MS + 120_000

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(environment: Readonly<Record<string, string>>) {
  const upstream = await startRawUpstream()
  closing.push(upstream.close)
  const service = await startServiceProcess({
    environment: {
      ...upstreamVariables(upstream.origin),
      PRECIS_WORKERS: '1',
      PRECIS_DECIDE_WIRE: 'none',
      ...environment,
    },
  })
  closing.push(service.close)
  return { upstream, service }
}

/** Characters that take two bytes each in memory. */
const messages = (megabytes: number) =>
  Array.from({ length: megabytes * 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} € ${'and so it goes on and on, word by word. '.repeat(24)}`,
  }))

/** For the service, which holds bodies as bytes. A thread parses them, and has no more. */
const SMALL_HEAP = {
  NODE_OPTIONS: '--max-old-space-size=128',
  PRECIS_PROXY_COMPACTION_DEADLINE_MS: '110000',
  PRECIS_REQUEST_DEADLINE_MS: '120000',
}

/** Of objects, which take 80 bytes in memory for the two that they are sent with. */
const huge = () => messages(24).map((message) => ({ ...message, of: Array(38).fill({}) }))

describe('a thread that ends in the middle of its work', () => {
  it(
    'leaves a proxied request to be sent as it came',
    async () => {
      const { upstream, service } = await start(SMALL_HEAP)
      const body = JSON.stringify({ model: 'gpt-4o', messages: huge() })
      const answer = await callRaw(`${service.url}${CHAT}`, { body })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-precis-outcome': 'passed',
        'x-precis-reason': 'failed',
      })
      expect(upstream.requests.map(({ bytes }) => bytes.equals(Buffer.from(body)))).toEqual([true])
      const failures = service.logLines().filter(({ msg }) => msg === 'compaction failed')
      expect(failures).toHaveLength(1)
      expect(failures[0]).toMatchObject({ err: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })

      // The next one has a thread again.
      const next = { model: 'gpt-4o', messages: messages(1) }
      const { headers } = await service.send(CHAT, {
        method: 'POST',
        body: next,
        headers: { 'x-precis-target': '20000' },
      })
      expect(headers['x-precis-outcome']).toBe('compacted')
    },
    TEST_MS,
  )

  it(
    'leaves a gateway with what it has',
    async () => {
      const { service } = await start(SMALL_HEAP)
      const posted = huge()
      const compress = await service.send('/v1/compress', {
        method: 'POST',
        body: { messages: posted, model: 'gpt-4o' },
      })
      expect(compress.statusCode).toBe(200)
      expect(compress.headers['x-precis-reason']).toBe('internal')
      const { messages: back, ...told } = JSON.parse(compress.body) as { messages: unknown[] }
      expect(told).toMatchObject({ compression_skipped: true, skip_reason: 'internal' })
      expect(back).toEqual(posted)

      const { path, headers } = portkeyWebhook()
      const { request, ...others } = portkeyWebhook().body as { request: { json: object } }
      const webhook = await service.send(`${path}?timeout_ms=110000`, {
        method: 'POST',
        headers,
        body: { ...others, request: { ...request, json: { ...request.json, messages: posted } } },
      })
      expect([webhook.statusCode, JSON.parse(webhook.body)]).toEqual([
        200,
        { verdict: true, data: { outcome: 'passed', reason: 'internal' } },
      ])
    },
    TEST_MS,
  )
})

describe('a thread that is late', () => {
  it(
    'leaves a request to be sent as it came, once its time is over',
    async () => {
      const { upstream, service } = await start({
        PRECIS_PROXY_COMPACTION_DEADLINE_MS: '100',
        PRECIS_REQUEST_DEADLINE_MS: '60000',
      })
      const posted = messages(20)
      const body = JSON.stringify({ model: 'gpt-4o', messages: posted })
      const { headers } = await callRaw(`${service.url}${CHAT}`, { body })
      expect(headers).toMatchObject({ 'x-precis-outcome': 'passed', 'x-precis-reason': 'deadline' })
      expect(upstream.requests.map(({ bytes }) => bytes.equals(Buffer.from(body)))).toEqual([true])

      const compress = await service.send('/v1/compress?timeout_ms=50', {
        method: 'POST',
        body: { messages: posted, model: 'gpt-4o' },
      })
      expect(compress.headers['x-precis-reason']).toBe('deadline-exceeded')
      const { messages: back } = JSON.parse(compress.body) as { messages: unknown[] }
      expect(back).toEqual(posted)
      expect(await service.send('/healthz')).toMatchObject({ statusCode: 200 })
    },
    TEST_MS,
  )
})
