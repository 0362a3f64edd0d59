import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REQUESTS } from '../helpers/proxy/conversations.ts'
import { callRaw, openRaw, readWhole } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

let upstream: RawUpstream
let service: RunningService
beforeEach(async () => {
  upstream = await startRawUpstream()
  service = await startProxy(upstream.origin)
})
afterEach(async () => {
  await service.close()
  await upstream.close()
})

/** About 13,000 tokens by any count. */
const CHAT = REQUESTS['openai-chat'].body(30)
const PATH = '/v1/chat/completions'

const refusal = (message: string, code: string | null = 'context_length_exceeded') =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'messages', code } })

const TOO_LONG = refusal(
  "This model's maximum context length is 4000 tokens. However, your messages resulted in 13000 tokens. Please reduce the length of the messages.",
)

function refuse(response: ServerResponse, body: string | Buffer, status = 400, headers = {}) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'first',
    ...headers,
  })
  response.end(body)
}

/** Refuses the first request, and answers every other. */
function refuseOnce(refuseFirst: (response: ServerResponse) => void) {
  const before = upstream.requests.length
  upstream.setHandler((_request, response) => {
    if (upstream.requests.length === before + 1) refuseFirst(response)
    else response.writeHead(200, { 'x-request-id': 'second' }).end('{"ok":true}')
  })
}

const post = (body: object | string = CHAT, headers = {}, path = PATH) =>
  callRaw(`${service.url}${path}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  })

const messagesOf = (index: number) =>
  (JSON.parse(String(upstream.requests[index]?.bytes)) as { messages: unknown[] }).messages

const overflows = async () => (await service.metrics()).by('precis_proxy_overflows_total', 'result')

describe('a request that the upstream finds too long', () => {
  it('is compacted to the number that it names, and sent once more', async () => {
    refuseOnce((response) => refuse(response, TOO_LONG))
    const answer = await post()
    expect([answer.status, answer.bytes.toString()]).toEqual([200, '{"ok":true}'])
    expect(answer.headers).toMatchObject({
      'x-request-id': 'second',
      'x-precis-outcome': 'compacted',
      'x-precis-retry': 'overflow',
    })
    const [before, after] = ['before', 'after'].map((name) =>
      Number(answer.headers[`x-precis-tokens-${name}`]),
    ) as [number, number]
    expect(after / before).toBeLessThan(4_000 / 13_000)
    expect(upstream.requests).toHaveLength(2)
    expect(messagesOf(0)).toHaveLength(61)
    expect(messagesOf(1).length).toBeLessThan(25)
    expect(messagesOf(1).at(-1)).toEqual(CHAT.messages.at(-1))
    expect(await overflows()).toEqual({ recovered: 1 })
  })

  it('is compacted to 70% where no number is named', async () => {
    refuseOnce((response) => refuse(response, refusal('Too long.')))
    const { headers } = await post()
    const share =
      Number(headers['x-precis-tokens-after']) / Number(headers['x-precis-tokens-before'])
    expect(headers['x-precis-retry']).toBe('overflow')
    expect(share).toBeLessThanOrEqual(0.7)
  })

  it.each([
    ['with a number', TOO_LONG],
    ['without one', refusal('Too long.')],
  ])('is the last of its conversation: the next turn aims there at once, %s', async (_, error) => {
    refuseOnce((response) => refuse(response, error))
    await post()
    const { messages, ...rest } = CHAT
    const next = [
      ...messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ]
    const answer = await post({ ...rest, messages: next })
    expect(upstream.requests).toHaveLength(3)
    expect(answer.headers).toMatchObject({ 'x-precis-outcome': 'compacted' })
    expect(answer.headers['x-precis-retry']).toBeUndefined()
    const target = Number(answer.headers['x-precis-learned-target'])
    expect(Number(answer.headers['x-precis-tokens-after'])).toBeLessThanOrEqual(target)
    // What the upstream has cached of the turn before is there again.
    expect(messagesOf(2).slice(0, messagesOf(1).length)).toEqual(messagesOf(1))
    expect(messagesOf(2).at(-1)).toEqual(next.at(-1))
  })

  it('says nothing of another conversation of the same model', async () => {
    refuseOnce((response) => refuse(response, TOO_LONG))
    await post()
    const [first, ...others] = CHAT.messages
    const other = {
      ...CHAT,
      messages: [first, { role: 'user', content: 'Another task.' }, ...others],
    }
    const answer = await post(other)
    expect(answer.headers['x-precis-learned-target']).toBeUndefined()
    expect(messagesOf(2)).toEqual(other.messages)
  })

  it('again is asked for less each time, until it is taken', async () => {
    upstream.setHandler((request, response) => {
      if (request.bytes.length > 20_000) refuse(response, refusal('Too long.'))
      else response.writeHead(200).end('{"ok":true}')
    })
    const statuses: number[] = []
    while (statuses.length < 8 && statuses.at(-1) !== 200) statuses.push((await post()).status)
    expect(statuses.length).toBeGreaterThan(1)
    expect(statuses.at(-1)).toBe(200)
    const before = upstream.requests.length
    expect((await post()).status).toBe(200)
    expect(upstream.requests).toHaveLength(before + 1)
  })

  it('is recognised in a packed error, of a packed request', async () => {
    refuseOnce((response) =>
      refuse(response, gzipSync(TOO_LONG), 400, { 'content-encoding': 'gzip' }),
    )
    const answer = await callRaw(`${service.url}${PATH}`, {
      body: gzipSync(JSON.stringify(CHAT)),
      headers: { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' },
    })
    expect(answer.headers['x-precis-retry']).toBe('overflow')
    expect(upstream.requests[1]?.headers['content-encoding']).toBeUndefined()
    expect(messagesOf(1).length).toBeLessThan(25)
  })

  it('is helped even where the model is not known', async () => {
    refuseOnce((response) => refuse(response, TOO_LONG))
    const answer = await post({ ...CHAT, model: 'nobody-knows' })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'x-precis-outcome': 'compacted',
      'x-precis-retry': 'overflow',
    })
  })

  it('is sent again only once: the caller sees the second answer, whatever it is', async () => {
    upstream.setHandler((_request, response) =>
      refuse(response, upstream.requests.length === 1 ? TOO_LONG : refusal('Still too long.')),
    )
    const answer = await post()
    expect([answer.status, answer.bytes.toString()]).toEqual([400, refusal('Still too long.')])
    expect(answer.headers['x-precis-retry']).toBe('overflow')
    expect(upstream.requests).toHaveLength(2)
    expect(await overflows()).toEqual({ repeated: 1 })
  })

  it('that cannot be made smaller is answered with the first answer, byte for byte', async () => {
    const packed = gzipSync(TOO_LONG)
    upstream.setHandler((_request, response) => {
      refuse(response, packed, 400, { 'content-encoding': 'gzip', 'retry-after': '7' })
    })
    const answer = await post({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'x '.repeat(5_000) }],
    })
    expect(answer.status).toBe(400)
    expect(answer.bytes.equals(packed)).toBe(true)
    expect(answer.headers).toMatchObject({ 'x-request-id': 'first', 'retry-after': '7' })
    expect(answer.headers['x-precis-retry']).toBeUndefined()
    expect(upstream.requests).toHaveLength(1)
    expect(await overflows()).toEqual({ 'not-smaller': 1 })
  })

  it('gets the first answer where the second does not come', async () => {
    upstream.setHandler((request, response) => {
      if (upstream.requests.length === 1) refuse(response, TOO_LONG)
      else request.socket.resetAndDestroy()
    })
    const answer = await post()
    expect([answer.status, answer.bytes.toString()]).toEqual([400, TOO_LONG])
    expect(await overflows()).toEqual({ lost: 1 })
  })

  it('is not sent again where the caller asked to be left alone', async () => {
    upstream.setHandler((_request, response) => refuse(response, TOO_LONG))
    expect((await post(CHAT, { 'x-precis-bypass': 'true' })).bytes.toString()).toBe(TOO_LONG)
    expect(upstream.requests).toHaveLength(1)
  })

  it.each([
    [
      '/v1/messages',
      REQUESTS['anthropic-messages'].body(30),
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 13000 tokens > 4000 maximum',
        },
      },
      400,
    ],
    [
      REQUESTS.gemini.path,
      REQUESTS.gemini.body(30),
      {
        error: {
          code: 400,
          message:
            'The input token count (13000) exceeds the maximum number of tokens allowed (4000).',
          status: 'INVALID_ARGUMENT',
        },
      },
      400,
    ],
    [
      '/v1/responses',
      REQUESTS['openai-responses'].body(30),
      {
        error: {
          message: 'Your input exceeds the context window of this model.',
          type: 'invalid_request_error',
          param: 'input',
          code: 'context_length_exceeded',
        },
      },
      400,
    ],
    ['/v1/messages', REQUESTS['anthropic-messages'].body(30), '<html>413</html>', 413],
  ])('is recognised by every API: %s', async (path, body, error, status) => {
    refuseOnce((response) =>
      refuse(response, typeof error === 'string' ? error : JSON.stringify(error), status as number),
    )
    const answer = await post(body, {}, path as string)
    expect([answer.status, answer.headers['x-precis-retry']]).toEqual([200, 'overflow'])
  })
})

describe('an error of another kind', () => {
  it.each([
    [429, TOO_LONG],
    [
      413,
      JSON.stringify({
        error: {
          message: 'Request too large on tokens per minute (TPM)',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      }),
    ],
    [
      400,
      refusal("An assistant message with 'tool_calls' must be followed by tool messages.", null),
    ],
    [500, TOO_LONG],
    [401, TOO_LONG],
  ])('is passed on at once: %i %s', async (status, body) => {
    upstream.setHandler((_request, response) =>
      refuse(response, body, status, { 'retry-after': '9' }),
    )
    const answer = await post()
    expect([answer.status, answer.bytes.toString(), answer.headers['retry-after']]).toEqual([
      status,
      body,
      '9',
    ])
    expect(upstream.requests).toHaveLength(1)
    expect(await overflows()).toEqual({})
  })

  it('is passed on whole, however large or slow it is', async () => {
    const large = refusal(`prompt is too long ${'x'.repeat(300_000)}`)
    upstream.setHandler((_request, response) => refuse(response, large))
    expect((await post()).bytes.toString()).toBe(large)
    expect(upstream.requests).toHaveLength(1)

    upstream.setHandler((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.write(TOO_LONG.slice(0, 20))
      setTimeout(() => response.end(TOO_LONG.slice(20)), 6_000)
    })
    const answer = await post()
    expect([answer.bytes.toString(), answer.isWhole]).toEqual([TOO_LONG, true])
    expect(upstream.requests).toHaveLength(2)
  })

  it('that breaks off breaks off for the caller', async () => {
    upstream.setHandler((request, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write(TOO_LONG)
      setTimeout(() => request.socket.resetAndDestroy(), 50)
    })
    const answer = await post()
    expect([answer.status, answer.isWhole]).toEqual([400, false])
  })
})

describe('a stream of the Responses API that reports it in its events', () => {
  const event = (type: string, rest: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const CREATED = event('response.created', { response: { status: 'in_progress' } })
  const FAILED = event('response.failed', {
    response: {
      status: 'failed',
      error: { code: 'context_length_exceeded', message: 'Too long.' },
    },
  })
  const body = { ...REQUESTS['openai-responses'].body(30), model: 'nobody-knows', stream: true }

  it('is compacted and sent once more, and the caller sees only the second', async () => {
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        upstream.requests.length === 1 ? CREATED + FAILED : `${CREATED}data: {"type":"x"}\n\n`,
      )
    })
    const answer = await post(body, {}, '/v1/responses')
    expect(answer.bytes.toString()).toBe(`${CREATED}data: {"type":"x"}\n\n`)
    expect(answer.headers['x-precis-retry']).toBe('overflow')
    expect(await overflows()).toEqual({ recovered: 1 })
  })

  it('is passed on as it came where it is about something else', async () => {
    const stream = CREATED + event('error', { code: 'server_error', message: 'Broken.' })
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
    })
    expect((await post(body, {}, '/v1/responses')).bytes.toString()).toBe(stream)
    expect(upstream.requests).toHaveLength(1)
  })

  it('is not held back for long while the model thinks', TIMED, async () => {
    let end = () => {}
    upstream.setHandler((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(CREATED)
      end = () => response.end(FAILED)
    })
    const startedAt = performance.now()
    const response = await openRaw(`${service.url}/v1/responses`, { body: JSON.stringify(body) })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    end()
    expect((await readWhole(response)).bytes.toString()).toBe(CREATED + FAILED)
  })
})
