import { request as httpRequest } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PROXIED_FORMATS, REQUESTS } from '../helpers/proxy/conversations.ts'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'

const CANARY = 'canary-7f3a'

let upstream: RawUpstream
let service: RunningService
beforeAll(async () => {
  upstream = await startRawUpstream()
  service = await startProxy(upstream.origin)
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})
afterEach(() => {
  upstream.setHandler((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
})

const last = () => {
  const request = upstream.requests.at(-1)
  if (request === undefined) throw new Error('nothing came')
  return request
}

/** White space, escapes, number spellings, repeated and unknown members: as few clients write it. */
const ODD_BODY =
  '\n{ "model" : "gpt-4o",\t"messages":[ {"role":"user","content":"caf\\u00e9 \\/ ok", "x":1.0e2} ], "seed":12345678901234567890, "seed":1.50 }\r\n'

describe('a request within its budget', () => {
  it.each(PROXIED_FORMATS)('reaches the upstream byte for byte: %s', async (format) => {
    const { path, body } = REQUESTS[format]
    const bytes = Buffer.from(JSON.stringify(body(2), null, 3))
    const answer = await callRaw(`${service.url}${path}?beta=true&x=%20`, { body: bytes })
    expect(answer.status).toBe(200)
    expect(last().bytes.equals(bytes)).toBe(true)
    expect(last().url).toBe(`${path}?beta=true&x=%20`)
    expect(answer.headers).toMatchObject({
      'x-precis-outcome': 'unchanged',
      'x-precis-tokens-before': expect.stringMatching(/^\d+$/),
    })
    expect(answer.headers['x-precis-tokens-after']).toBe(answer.headers['x-precis-tokens-before'])
    expect(answer.headers['x-precis-reason']).toBeUndefined()
  })

  it('keeps the oddest of spellings', async () => {
    await callRaw(`${service.url}/v1/chat/completions`, { body: ODD_BODY })
    expect(last().bytes.toString()).toBe(ODD_BODY)
  })

  it('keeps them too where it has to be counted first', async () => {
    const picture = '{"type":"image_url","image_url":{"url":"https://host/1.png"}}'
    const body = ODD_BODY.replace('"caf\\u00e9 \\/ ok"', `[ ${picture} ]`)
    expect(body).toContain(picture)
    for (const [bytes, headers] of [
      [Buffer.from(body), {}],
      [gzipSync(body), { 'content-encoding': 'gzip' }],
    ] as const) {
      const answer = await callRaw(`${service.url}/v1/chat/completions`, { body: bytes, headers })
      expect(answer.headers['x-precis-outcome']).toBe('unchanged')
      expect(last().bytes.equals(bytes)).toBe(true)
      expect(last().headers['content-encoding']).toBe(
        'content-encoding' in headers ? headers['content-encoding'] : undefined,
      )
    }
  })

  it.each([1, 7, 100_000])('may come in chunks of %i bytes', async (chunkBytes) => {
    await callRaw(`${service.url}/v1/chat/completions`, { body: ODD_BODY, chunkBytes })
    expect(last().bytes.toString()).toBe(ODD_BODY)
    expect(last().headers['content-length']).toBe(String(Buffer.byteLength(ODD_BODY)))
    expect(last().headers['transfer-encoding']).toBeUndefined()
  })

  it.each([
    ['gzip', gzipSync(ODD_BODY)],
    ['br', brotliCompressSync(ODD_BODY)],
  ])('stays packed as it came: %s', async (encoding, packed) => {
    const answer = await callRaw(`${service.url}/v1/chat/completions`, {
      body: packed,
      headers: { 'content-encoding': encoding },
    })
    expect(answer.headers['x-precis-outcome']).toBe('unchanged')
    expect(answer.headers['x-precis-tokens-before']).toMatch(/^\d+$/)
    expect(last().bytes.equals(packed)).toBe(true)
    expect(last().headers['content-encoding']).toBe(encoding)
  })

  it('takes the keys of the caller along, and nothing that is ours or of the connection', async () => {
    await callRaw(`${service.url}/v1/messages`, {
      body: JSON.stringify(REQUESTS['anthropic-messages'].body(1)),
      headers: {
        Authorization: 'Bearer a',
        'X-Api-Key': 'b',
        'x-goog-api-key': 'c',
        'anthropic-beta': 'one,two',
        'x-precis-target': '100000',
        'x-precis-api-key': 'd',
        Connection: 'keep-alive, x-hop',
        'x-hop': 'e',
        'x-request-id': 'mine',
      },
    })
    const { headers, rawHeaders } = last()
    expect(headers).toMatchObject({
      authorization: 'Bearer a',
      'x-api-key': 'b',
      'x-goog-api-key': 'c',
      'anthropic-beta': 'one,two',
      'x-request-id': 'mine',
      host: new URL(upstream.origin).host,
    })
    expect(rawHeaders).toContain('X-Api-Key')
    for (const name of Object.keys(headers))
      expect(name).not.toMatch(/^x-precis|^x-hop$|forwarded|^via$/)
  })

  it('may carry 64 kB of headers, and get as many', async () => {
    const long = 'h'.repeat(64_000)
    upstream.setHandler((_request, response) =>
      response.writeHead(200, { 'x-long': long }).end('{}'),
    )
    const answer = await callRaw(`${service.url}/v1/chat/completions`, {
      body: ODD_BODY,
      headers: { 'x-long': long },
    })
    expect([answer.status, answer.headers['x-long']?.length]).toEqual([200, 64_000])
    expect(last().headers['x-long']).toBe(long)
  })
})

describe('an answer', () => {
  it('comes with its status, reason, headers and bytes', async () => {
    const packed = gzipSync('{"usage":{"total_tokens":7}}')
    upstream.setHandler((_request, response) => {
      response.writeHead(418, 'Short And Stout', [
        ...[
          'X-Request-Id',
          'req_upstream',
          'Retry-After',
          '3',
          'x-ratelimit-remaining-tokens',
          '9',
        ],
        ...[
          'Set-Cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
          'content-encoding',
          'gzip',
          'X-Name',
          'caf\xe9',
        ],
        ...['x-precis-outcome', 'compacted', 'Content-Length', String(packed.length)],
      ])
      response.end(packed)
    })
    const answer = await callRaw(`${service.url}/v1/chat/completions`, {
      body: ODD_BODY,
      headers: { 'accept-encoding': 'gzip, br', 'x-request-id': 'mine' },
    })
    expect(answer.status).toBe(418)
    expect(answer.bytes.equals(packed)).toBe(true)
    expect(answer.headers).toMatchObject({
      'x-request-id': 'req_upstream',
      'retry-after': '3',
      'x-ratelimit-remaining-tokens': '9',
      'set-cookie': ['a=1', 'b=2'],
      'content-encoding': 'gzip',
      'x-name': 'caf\xe9',
      'content-length': String(packed.length),
      'x-precis-outcome': 'unchanged',
      'x-precis-request-id': 'mine',
    })
    expect(last().headers['accept-encoding']).toBe('gzip, br')
  })

  it('differs from the direct one in nothing but our headers', async () => {
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'X-Odd': 'y' })
      response.write('data: 1\n\n')
      response.end('data: [DONE]\n\n')
    })
    const path = '/v1/chat/completions'
    const direct = await callRaw(`${upstream.origin}${path}`, { body: ODD_BODY })
    const proxied = await callRaw(`${service.url}${path}`, { body: ODD_BODY })
    const names = (raw: readonly string[]) => raw.filter((_, index) => index % 2 === 0)
    const isOurs = (name: string) => name.startsWith('x-precis-')
    expect(
      names(proxied.rawHeaders)
        .filter((name) => !isOurs(name))
        .sort(),
    ).toEqual(names(direct.rawHeaders).sort())
    expect(proxied.bytes.equals(direct.bytes)).toBe(true)
  })

  it('without a body stays one', async () => {
    upstream.setHandler((_request, response) => response.writeHead(204).end())
    const answer = await callRaw(`${service.url}/v1/files/1`, { method: 'DELETE' })
    expect([answer.status, answer.bytes.length, answer.isWhole]).toEqual([204, 0, true])
  })
})

describe('what is not understood', () => {
  const cases: readonly (readonly [string, string, string | Buffer, Record<string, string>])[] = [
    ['not-json', '/v1/chat/completions', '{"model":"gpt-4o",', {}],
    [
      'not-json',
      '/v1/chat/completions',
      'a=1&b=2',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'not-json',
      '/v1/chat/completions',
      '--x\r\n\r\nbody\r\n--x--',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['not-json', '/v1/chat/completions', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}],
    ['not-json', '/v1/chat/completions', '['.repeat(2_000) + ']'.repeat(2_000), {}],
    ['not-json', '/v1/chat/completions', '{"mo\\qdel":"gpt-4o","messages":[]}', {}],
    ['not-json', '/v1/chat/completions', '', {}],
    ['other-format', '/v1/chat/completions', '[1,2]', {}],
    ['other-format', '/v1/chat/completions', '{"model":"gpt-4o","prompt":"x"}', {}],
    ['other-format', '/v1/chat/completions', '{"model":"gpt-4o","messages":"x"}', {}],
    ['other-format', '/v1/chat/completions', '{"model":"gpt-4o","messages":[]}', {}],
    ['other-format', '/v1/chat/completions', '{"model":"gpt-4o","messages":[7]}', {}],
    ['other-format', '/v1/messages', '{"model":"claude-sonnet-4-5","contents":[]}', {}],
    [
      'unknown-model',
      '/v1/chat/completions',
      '{"model":"mine","messages":[{"role":"user","content":"x"}]}',
      {},
    ],
    ['unknown-model', '/v1/chat/completions', '{"messages":[{"role":"user","content":"x"}]}', {}],
    [
      'invalid-budget',
      '/v1/chat/completions',
      '{"model":"gpt-4o","max_tokens":128000,"messages":[{"role":"user","content":"x"}]}',
      {},
    ],
    ['content-encoding', '/v1/chat/completions', 'x', { 'content-encoding': 'gzip' }],
    ['content-encoding', '/v1/chat/completions', 'x', { 'content-encoding': 'snappy' }],
    [
      'not-generation',
      '/v1/messages/count_tokens',
      '{"model":"claude-sonnet-4-5","messages":[]}',
      {},
    ],
    ['not-generation', '/v1/embeddings', '{"input":"x"}', {}],
    ['not-generation', '/v1beta/models/gemini-2.5-pro:countTokens', '{"contents":[]}', {}],
    ['not-generation', '/v1/models/gemini-2.5-pro:countTokens', '{"contents":[]}', {}],
  ]

  it.each(cases)(
    'is passed on untouched, and says %s: %s %j',
    async (reason, path, body, headers) => {
      const answer = await callRaw(`${service.url}${path}`, { body, headers })
      expect([answer.status, answer.bytes.toString()]).toEqual([200, '{"ok":true}'])
      expect(answer.headers).toMatchObject({
        'x-precis-outcome': 'passed',
        'x-precis-reason': reason,
      })
      expect(answer.headers['x-precis-tokens-before']).toBeUndefined()
      expect(last().bytes.equals(Buffer.from(body))).toBe(true)
      expect(last().headers['content-type']).toBe(headers['content-type'] ?? 'application/json')
    },
  )

  it('is not unpacked beyond the body limit', async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000, 0x20))
    const answer = await callRaw(`${service.url}/v1/chat/completions`, {
      body: bomb,
      headers: { 'content-encoding': 'gzip' },
    })
    expect(answer.headers['x-precis-reason']).toBe('content-encoding')
    expect(last().bytes.equals(bomb)).toBe(true)
  })

  it.each(['', 'json', 'application/json; charset', '*/*'])(
    'may have the media type %j',
    async (type) => {
      const answer = await callRaw(`${service.url}/v1/responses`, {
        body: JSON.stringify(REQUESTS['openai-responses'].body(1)),
        headers: { 'content-type': type },
      })
      expect(answer.headers['x-precis-outcome']).toBe('unchanged')
      expect(last().headers['content-type']).toBe(type)
    },
  )

  it('is left alone on demand', async () => {
    for (const value of ['true', '1']) {
      const answer = await callRaw(`${service.url}/v1/chat/completions`, {
        body: ODD_BODY,
        headers: { 'x-precis-bypass': value, 'x-precis-target': '1' },
      })
      expect(answer.headers).toMatchObject({ 'x-precis-outcome': 'bypassed' })
      expect(last().bytes.toString()).toBe(ODD_BODY)
    }
  })
})

describe('the rest of an API', () => {
  it.each<[string, string, Record<string, string>]>([
    ['GET', '/v1/models?limit=1', {}],
    ['GET', '/v1/models', { 'anthropic-version': '2023-06-01' }],
    ['GET', '/v1beta/models?key=k', {}],
    ['GET', '/v1/models?key=k', {}],
    ['DELETE', '/v1/responses/resp_1', {}],
    ['PUT', '/v1/anything/at/all', {}],
  ])('is there too: %s %s', async (method, path, headers) => {
    const answer = await callRaw(`${service.url}${path}`, { method, headers })
    expect([answer.status, last().method, last().url]).toEqual([200, method, path])
    expect(answer.headers['x-precis-reason']).toBe('not-generation')
  })

  it('goes to none but the upstream whose key the caller brings', async () => {
    const other = await startProxy(upstream.origin, {
      PRECIS_UPSTREAM_ANTHROPIC_URL: '',
      PRECIS_UPSTREAM_GEMINI_URL: '',
    })
    const before = upstream.requests.length
    const calls = [
      ['/v1/models', { 'anthropic-version': '2023-06-01', 'x-api-key': 'k' }],
      ['/v1/models', { 'x-goog-api-key': 'k' }],
      ['/v1/models?key=k', {}],
      ['/v1beta/models', {}],
      ['/v1/projects/p/locations/l/models', { authorization: 'Bearer of Google' }],
      ['/v1/projects/p/locations/l/models', { 'anthropic-version': 'x' }],
      ['/v1beta1/projects/p/locations/l/models', { authorization: 'Bearer of Google' }],
    ] as const
    for (const [path, headers] of calls) {
      const answer = await callRaw(`${other.url}${path}`, { method: 'GET', headers })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect(
      (
        await callRaw(`${other.url}/v1/messages`, {
          body: ODD_BODY,
          headers: { 'anthropic-version': 'x' },
        })
      ).status,
    ).toBe(404)
    expect(upstream.requests).toHaveLength(before)
    await other.close()
  })

  it('does not exist without an upstream', async () => {
    const bare = await startProxy(upstream.origin, {
      PRECIS_UPSTREAM_OPENAI_URL: '',
      PRECIS_UPSTREAM_ANTHROPIC_URL: '',
      PRECIS_UPSTREAM_GEMINI_URL: '',
    })
    for (const { path } of Object.values(REQUESTS)) {
      expect((await callRaw(`${bare.url}${path}`, { body: '{}' })).status).toBe(404)
    }
    await bare.close()
  })

  it('is never where a request says', async () => {
    const { host } = new URL(service.url)
    const before = upstream.requests.length
    const [hostname, port] = host.split(':')
    const send = (path: string) =>
      new Promise<number>((resolve, reject) => {
        httpRequest(
          { hostname, port, method: 'POST', path, headers: { host: 'evil.example' } },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          },
        )
          .once('error', reject)
          .end('{}')
      })
    expect(await send('http://evil.example/v1/chat/completions')).toBe(200)
    expect(last()).toMatchObject({ url: '/v1/chat/completions' })
    expect(last().headers.host).toBe(new URL(upstream.origin).host)
    expect(await send('/v1/../../admin')).toBe(400)
    expect(upstream.requests).toHaveLength(before + 1)
  })
})

describe('refusals of our own', () => {
  it('a body above the limit is refused before anything is sent on', async () => {
    const small = await startProxy(upstream.origin, { PRECIS_BODY_LIMIT_BYTES: '2000' })
    const before = upstream.requests.length
    for (const chunkBytes of [undefined, 500]) {
      const answer = await callRaw(`${small.url}/v1/chat/completions`, {
        body: JSON.stringify({ text: 'x'.repeat(3_000) }),
        ...(chunkBytes !== undefined && { chunkBytes }),
      })
      expect(answer.status).toBe(413)
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({
        code: 'payload-too-large',
        error: { type: 'precis:payload-too-large', message: expect.any(String) },
      })
    }
    expect(upstream.requests).toHaveLength(before)
    await small.close()
  })

  it.each([
    ['x-precis-target', 'many'],
    ['x-precis-bypass', 'perhaps'],
    ['x-precis-profile', 'none-such'],
  ])('%s: %s is refused', async (name, value) => {
    const before = upstream.requests.length
    const answer = await callRaw(`${service.url}/v1/chat/completions`, {
      body: ODD_BODY,
      headers: { [name]: value },
    })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: 'invalid-request' })
    expect(upstream.requests).toHaveLength(before)
  })

  it('with keys, ours is asked for in a header of its own and goes no further', async () => {
    const locked = await startProxy(upstream.origin, {
      PRECIS_API_KEYS: 'first-key-1,second-key-2',
    })
    const before = upstream.requests.length
    const send = (headers: Record<string, string>) =>
      callRaw(`${locked.url}/v1/chat/completions`, { body: ODD_BODY, headers })
    for (const headers of [
      {},
      { authorization: 'Bearer first-key-1' },
      { 'x-precis-api-key': 'first-key-' },
      { 'x-precis-api-key': 'Bearer first-key-1' },
    ]) {
      expect((await send(headers as Record<string, string>)).status).toBe(401)
    }
    expect(upstream.requests).toHaveLength(before)
    const answer = await send({
      'x-precis-api-key': 'second-key-2',
      authorization: 'Bearer theirs',
    })
    expect(answer.status).toBe(200)
    expect(last().headers).toMatchObject({ authorization: 'Bearer theirs' })
    expect(JSON.stringify(last().rawHeaders)).not.toContain('second-key')
    await locked.close()
  })
})

it('keeps keys, texts and URLs of callers and answers out of logs and metrics', async () => {
  upstream.setHandler((_request, response) => {
    response
      .writeHead(400, { 'x-echo': CANARY })
      .end(JSON.stringify({ error: { message: CANARY } }))
  })
  for (const url of [service.url, (await startUnreachable()).url]) {
    await callRaw(`${url}/v1/chat/completions?key=${CANARY}`, {
      body: JSON.stringify({ model: CANARY, messages: [{ role: 'user', content: CANARY }] }),
      headers: {
        authorization: CANARY,
        'x-api-key': CANARY,
        'x-goog-api-key': CANARY,
        cookie: CANARY,
      },
    })
    await callRaw(`${url}/v1/files/${CANARY}`, { method: 'GET' })
  }
  const logs = service.logText() + (await startUnreachable()).logText()
  expect(logs).toContain('no answer from the upstream')
  expect(logs).not.toContain(CANARY)
  expect((await service.metrics()).text).not.toContain(CANARY)
})

let unreachable: RunningService | undefined
async function startUnreachable(): Promise<RunningService> {
  unreachable ??= await startProxy('http://127.0.0.1:1')
  return unreachable
}
afterAll(() => unreachable?.close())
