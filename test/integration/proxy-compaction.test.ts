import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSystemOneServer } from '../helpers/decide-servers/system-one-server.ts'
import {
  PROXIED_FORMATS,
  type ProxiedFormat,
  REQUESTS,
  turns,
} from '../helpers/proxy/conversations.ts'
import { callRaw, eventually } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'
import { findFaults } from '../helpers/wire-rules/find-faults.ts'

let upstream: RawUpstream
let service: RunningService
beforeAll(async () => {
  upstream = await startRawUpstream()
  service = await startProxy(upstream.origin, {
    PRECIS_MODEL_WINDOWS: JSON.stringify({
      'gpt-4o': { contextWindow: 8_000 },
      'claude-sonnet-4-5': { contextWindow: 8_000 },
      'gemini-2.5-pro': { contextWindow: 8_000 },
    }),
  })
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})

const lastBytes = () => upstream.requests.at(-1)?.bytes ?? Buffer.alloc(0)
const lastBody = () => JSON.parse(lastBytes().toString()) as Record<string, unknown[]>

function send(format: ProxiedFormat, body: object | string | Buffer, headers = {}) {
  return callRaw(`${service.url}${REQUESTS[format].path}`, {
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers,
  })
}

describe('a request over its budget', () => {
  it.each(PROXIED_FORMATS)('is sent on smaller and still valid: %s', async (format) => {
    const { body, list } = REQUESTS[format]
    const posted = body(60) as unknown as Record<string, unknown[]>
    const answer = await send(format, posted)
    expect([answer.status, answer.bytes.toString()]).toEqual([200, '{"ok":true}'])
    const { headers } = answer
    expect(headers['x-precis-outcome']).toBe('compacted')
    expect(headers['x-precis-stages']).toMatch(/^[a-z]+(, [a-z]+)*$/)
    const [before, after] = ['before', 'after'].map((name) =>
      Number(headers[`x-precis-tokens-${name}`]),
    )
    expect(before).toBeGreaterThan(10_000)
    expect(after).toBeLessThan(6_400)

    const sent = lastBody()
    expect(sent[list]?.length).toBeLessThan(posted[list]?.length ?? 0)
    expect(sent[list]?.at(-1)).toEqual(posted[list]?.at(-1))
    expect({ ...sent, [list]: null }).toEqual({ ...posted, [list]: null })
    expect(findFaults(format, sent)).toEqual([])
    expect(upstream.requests.at(-1)?.headers['content-length']).toBe(String(lastBytes().length))
  })

  it.each(['v1', 'v1beta1'])('goes to Google where it is one of Vertex AI: %s', async (version) => {
    const google = await startProxy(upstream.origin, {
      PRECIS_MODEL_WINDOWS: '{"gemini-2.5-pro":{"contextWindow":8000}}',
      PRECIS_UPSTREAM_OPENAI_URL: 'http://127.0.0.1:1',
      PRECIS_UPSTREAM_ANTHROPIC_URL: 'http://127.0.0.1:1',
    })
    const model = 'projects/p/locations/l/publishers/google/models/gemini-2.5-pro'
    const path = `/${version}/${model}:streamGenerateContent?alt=sse`
    const answer = await callRaw(`${google.url}${path}`, {
      body: JSON.stringify(REQUESTS.gemini.body(60)),
      headers: { authorization: 'Bearer of Google' },
    })
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(upstream.requests.at(-1)?.url).toBe(path)
    expect(findFaults('gemini', lastBody())).toEqual([])
    await google.close()
  })

  it('keeps the bytes of every other member and of every untouched message', async () => {
    const messages = turns(60).map(
      ({ role, text }, index) =>
        `{ "role":"${role}",\t"content":"${text} caf\\u00e9", "n":${index}.0 }`,
    )
    const head = '{ "seed":12345678901234567890 ,"model":"gpt-4o", "messages":[ '
    const tail = ' ],\n "temperature":1.0e0, "metadata":{"a":"\\u002f", "b":[ ]} }'
    const answer = await send('openai-chat', `${head}${messages.join(' , ')}${tail}`)
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    const text = lastBytes().toString()
    expect(text.startsWith(head.slice(0, -2))).toBe(true)
    expect(text.endsWith(tail.slice(1))).toBe(true)
    const kept = messages.filter((message) => text.includes(message))
    expect(kept.at(-1)).toBe(messages.at(-1))
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeGreaterThanOrEqual(lastBody().messages!.length - 2)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('is unpacked: %s', async (encoding, pack) => {
    const body = pack(JSON.stringify(REQUESTS['openai-chat'].body(60)))
    const answer = await send('openai-chat', body, { 'content-encoding': encoding })
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(upstream.requests.at(-1)?.headers['content-encoding']).toBeUndefined()
    expect(lastBody().messages!.length).toBeLessThan(121)
  })

  it('is as small as the caller asks, and by the profile', async () => {
    const body = REQUESTS['openai-chat'].body(30)
    const answer = await send(
      'openai-chat',
      { ...body, model: 'nobody-knows' },
      {
        'x-precis-target': '2000',
        'x-precis-profile': 'agent',
      },
    )
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(Number(answer.headers['x-precis-tokens-after'])).toBeLessThanOrEqual(2_000)
    const bypassed = await send('openai-chat', body, {
      'x-precis-target': '2000',
      'x-precis-bypass': '1',
    })
    expect(bypassed.headers['x-precis-outcome']).toBe('bypassed')
    expect(lastBody()).toEqual(body)
  })

  it('leaves room for the answer that it asks for', async () => {
    const body = REQUESTS['openai-chat'].body(14)
    expect(
      (await send('openai-chat', { ...body, max_tokens: 500 })).headers['x-precis-outcome'],
    ).toBe('unchanged')
    expect(
      (await send('openai-chat', { ...body, max_tokens: 6_000 })).headers['x-precis-outcome'],
    ).toBe('compacted')
    expect(lastBody().max_tokens).toBe(6_000)
  })

  it('is sent as it came where what must stay is larger, and says so', async () => {
    const body = {
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'Rule. '.repeat(9_000) },
        { role: 'user', content: 'Hi.' },
      ],
    }
    const answer = await send('openai-chat', body)
    expect(answer.headers).toMatchObject({
      'x-precis-outcome': 'unchanged',
      'x-precis-reason': 'budget-unreachable',
    })
    expect(lastBody()).toEqual(body)
  })

  it('is not taken for an option of ours, whatever its members are called', async () => {
    const body = {
      ...REQUESTS['openai-chat'].body(60),
      ...{
        dryRun: true,
        pins: Array.from({ length: 121 }, (_, index) => index),
        contextWindow: 10_000_000,
      },
      ...{
        options: { truncate: { enabled: false } },
        profile: 'agent',
        currentRequest: null,
        files: 7,
      },
    }
    expect((await send('openai-chat', body)).headers['x-precis-outcome']).toBe('compacted')
    expect({ ...lastBody(), messages: null }).toEqual({ ...body, messages: null })
  })

  it('is the same twice, so that what follows it stays in the cache of the provider', async () => {
    const body = REQUESTS['anthropic-messages'].body(60)
    await send('anthropic-messages', body)
    const first = lastBytes()
    await send('anthropic-messages', body)
    expect(lastBytes().equals(first)).toBe(true)
  })

  it('is counted', async () => {
    const before = await service.metrics()
    await send('gemini', REQUESTS.gemini.body(60))
    await send('gemini', REQUESTS.gemini.body(1))
    const after = await service.metrics()
    const grown = (name: string, labels: Record<string, string>) =>
      after.sum(name, { upstream: 'gemini', ...labels }) -
      before.sum(name, { upstream: 'gemini', ...labels })
    expect(grown('precis_proxy_requests_total', { outcome: 'compacted' })).toBe(1)
    expect(grown('precis_proxy_requests_total', { outcome: 'unchanged' })).toBe(1)
    expect(grown('precis_proxy_upstream_total', { result: '2xx' })).toBe(2)
    expect(grown('precis_proxy_relays_total', { result: 'complete' })).toBe(2)
    expect(grown('precis_proxy_preparation_seconds_count', {})).toBe(2)
    expect(grown('precis_proxy_time_to_head_seconds_count', {})).toBe(2)
    expect(after.sum('precis_http_requests_in_flight')).toBe(0)
  })
})

describe('a compaction with a model that does not answer', () => {
  it('keeps its deadline, and the request is sent on all the same', TIMED, async () => {
    const decide = await createSystemOneServer()
    decide.setFault('hang')
    const slow = await startProxy(upstream.origin, {
      PRECIS_MODEL_WINDOWS: '{"gpt-4o":{"contextWindow":8000}}',
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: `${decide.url}`,
      PRECIS_DECIDE_API_KEY: 'key',
      PRECIS_DECIDE_TIMEOUT_MS: '60000',
      PRECIS_PROXY_COMPACTION_DEADLINE_MS: '500',
    })
    const startedAt = performance.now()
    const answer = await callRaw(`${slow.url}/v1/chat/completions`, {
      body: JSON.stringify(REQUESTS['openai-chat'].body(60)),
    })
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    expect(answer.status).toBe(200)
    // The stages without a model had the rest of the time.
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    await slow.close()
    await decide.close()
  })

  it('ends when the caller leaves, and nothing is sent on', async () => {
    const decide = await createSystemOneServer()
    decide.setFault('hang')
    const slow = await startProxy(upstream.origin, {
      PRECIS_MODEL_WINDOWS: '{"gpt-4o":{"contextWindow":8000}}',
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: `${decide.url}`,
      PRECIS_DECIDE_API_KEY: 'key',
      PRECIS_DECIDE_TIMEOUT_MS: '60000',
      PRECIS_PROXY_COMPACTION_DEADLINE_MS: '60000',
    })
    const before = upstream.requests.length
    const { signal, abort } = patience()
    const gone = slow.send('/v1/chat/completions', {
      method: 'POST',
      body: REQUESTS['openai-chat'].body(60),
      signal,
    })
    await eventually(() => decide.requests.length === 1)
    expect((await slow.metrics()).sum('precis_http_requests_in_flight')).toBe(1)
    abort()
    await expect(gone).rejects.toThrow()
    await eventually(async () => (await slow.metrics()).sum('precis_http_requests_in_flight') === 0)
    await sleep(200)
    expect(upstream.requests).toHaveLength(before)
    expect((await slow.metrics()).by('precis_proxy_upstream_total', 'result')).toEqual({})
    await slow.close()
    await decide.close()
  })
})

function patience() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

describe('messages that the caller asks the provider to cache', () => {
  const { body } = REQUESTS['anthropic-messages']
  type Message = { role: string; content: unknown }

  /** The body with a mark on the message at that place. */
  const marked = (place: number) => {
    const posted = body(60) as unknown as { messages: Message[] }
    const messages = posted.messages.map((message, index) => {
      if (index !== place) return message
      const blocks = (
        typeof message.content === 'string'
          ? [{ type: 'text', text: message.content }]
          : message.content
      ) as object[]
      const last = { ...blocks.at(-1), cache_control: { type: 'ephemeral' } }
      return { ...message, content: [...blocks.slice(0, -1), last] }
    })
    return { ...posted, messages }
  }

  it('are sent as they came where the budget can be met with them, and the answer says so', async () => {
    const posted = marked(4)
    const answer = await send('anthropic-messages', posted)
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(answer.headers['x-precis-cached-prefix']).toBe('kept')
    expect(lastBody().messages?.slice(0, 5)).toEqual(posted.messages.slice(0, 5))
  })

  it('are known by a mark inside of a result too', async () => {
    const posted = body(60) as unknown as { messages: Message[] }
    const log = 'The northern warehouse is empty. '.repeat(120)
    const text = { type: 'text', text: log, cache_control: { type: 'ephemeral' } }
    const exchange = [
      { role: 'user', content: 'What is in the warehouse?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text] }] },
      { role: 'assistant', content: 'Nothing is.' },
    ]
    const messages = [...exchange, ...posted.messages]
    const answer = await send('anthropic-messages', { ...posted, messages })
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(answer.headers['x-precis-cached-prefix']).toBe('kept')
    expect(lastBody().messages?.slice(0, 3)).toEqual(exchange.slice(0, 3))
  })

  it('are given up where it cannot, and the answer says that too', async () => {
    const { messages } = body(60) as unknown as { messages: Message[] }
    const answer = await send('anthropic-messages', marked(messages.length - 1))
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
    expect(answer.headers['x-precis-cached-prefix']).toBe('changed')
  })
})
