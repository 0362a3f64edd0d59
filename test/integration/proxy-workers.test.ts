/** Large proxied requests are worked on by other threads: the same bytes go on, whatever becomes of them. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROXIED_FORMATS, REQUESTS } from '../helpers/proxy/conversations.ts'
import { callRaw, type RawAnswer, type RawCall } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { type ServicePair, startServicePair, upstreamVariables } from '../helpers/service-pair.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

const TEST_MS = 60_000
/** Of the log. */
const ERROR_LEVEL = 50

let upstream: RawUpstream
let pair: ServicePair

beforeAll(async () => {
  upstream = await startRawUpstream()
  pair = await startServicePair({
    ...upstreamVariables(upstream.origin),
    PRECIS_PROXY_COMPACTION_DEADLINE_MS: '60000',
  })
}, START_PROCESS_MS * 2)
afterAll(async () => {
  await pair?.close()
  await upstream?.close()
})

const notes = ({ headers }: RawAnswer) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => name.startsWith('x-precis-') && name !== 'x-precis-request-id',
    ),
  )

const answerOk = () =>
  upstream.setHandler((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  })

/** The request both ways, one after the other, and what the upstream got. */
async function both(path: string, call: RawCall) {
  const results = []
  for (const { url } of [pair.alone, pair.threaded]) {
    const before = upstream.requests.length
    const answer = await callRaw(`${url}${path}`, call)
    const sent = upstream.requests.slice(before).map(({ bytes, headers }) => ({
      bytes: bytes.toString('latin1'),
      encoding: headers['content-encoding'],
      length: headers['content-length'],
    }))
    results.push({
      status: answer.status,
      body: answer.bytes.toString(),
      notes: notes(answer),
      sent,
    })
  }
  const [alone, threaded] = results
  expect(threaded).toEqual(alone)
  // A thread that has ended is replaced, and its request sent as it came: only the log tells.
  const failures = pair.threaded.logLines().filter(({ level }) => Number(level) >= ERROR_LEVEL)
  expect(failures).toEqual([])
  if (threaded === undefined) throw new Error('there are two services')
  return threaded
}

/** Counts that a thread and the service keep apart, and `/metrics` adds up. */
const counts = async (service: ServicePair['alone']) => {
  const samples = await service.metrics()
  return [
    samples.by('precis_compactions_total', 'outcome'),
    samples.by('precis_proxy_requests_total', 'outcome'),
    samples.by('precis_stages_total', 'stage'),
    samples.by('precis_stage_duration_seconds_count', 'stage'),
  ]
}

describe('what a thread makes of a proxied request', () => {
  it.each(PROXIED_FORMATS)(
    'is what the service itself makes of it, byte for byte (%s)',
    async (format) => {
      answerOk()
      const { path, body } = REQUESTS[format]
      const bytes = JSON.stringify(body(60))
      const { notes: said, sent } = await both(path, {
        body: bytes,
        headers: { 'x-precis-target': '5000' },
      })
      expect(said).toMatchObject({ 'x-precis-outcome': 'compacted' })
      expect(sent).toHaveLength(1)
      expect(sent[0]?.bytes.length).toBeLessThan(bytes.length / 2)
      expect(await counts(pair.threaded)).toEqual(await counts(pair.alone))
    },
    TEST_MS,
  )

  const chat = REQUESTS['openai-chat']
  const odd = `{ "model":"gpt-4o",\n "messages" : ${JSON.stringify(chat.body(60).messages)}, "n": 1.0 }`

  it.each<[string, RawCall, object]>([
    ['that surely fits', { body: odd }, { 'x-precis-outcome': 'unchanged' }],
    [
      'that fits, once it is counted',
      { body: odd, headers: { 'x-precis-target': '40000' } },
      { 'x-precis-outcome': 'unchanged' },
    ],
    [
      'that is packed and fits',
      { body: gzipSync(odd), headers: { 'content-encoding': 'gzip' } },
      { 'x-precis-outcome': 'unchanged' },
    ],
    [
      'that is no JSON',
      { body: odd.slice(0, -1) },
      { 'x-precis-outcome': 'passed', 'x-precis-reason': 'not-json' },
    ],
    [
      'of another format',
      { body: odd.replace('"messages"', '"texts"'), headers: { 'x-precis-target': '10' } },
      { 'x-precis-outcome': 'passed', 'x-precis-reason': 'other-format' },
    ],
    [
      'of an unknown model',
      { body: odd.replace('gpt-4o', 'nobody-knows') },
      { 'x-precis-outcome': 'passed', 'x-precis-reason': 'unknown-model' },
    ],
  ])('is the bytes that came, for one %s', async (_name, call, said) => {
    answerOk()
    const { notes: told, sent } = await both(chat.path, call)
    expect(told).toMatchObject(said)
    expect(sent.map(({ bytes }) => bytes)).toEqual([
      Buffer.from(call.body ?? '').toString('latin1'),
    ])
  })

  it('is plain JSON, where what came was packed and over its budget', async () => {
    answerOk()
    const { sent } = await both(chat.path, {
      body: gzipSync(odd),
      headers: { 'content-encoding': 'gzip', 'x-precis-target': '5000' },
    })
    expect(sent[0]?.encoding).toBeUndefined()
    expect(sent[0]?.bytes).toMatch(/^\{ "model":"gpt-4o",\n "messages" : \[/)
  })
})

describe('a request that the upstream finds too long', () => {
  const tooLong = JSON.stringify({
    error: {
      message:
        "This model's maximum context length is 4000 tokens. However, your messages resulted in 13000 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  })

  const refuseFirst = () => {
    let refused = 0
    upstream.setHandler((_request, response) => {
      refused += 1
      const isFirst = refused % 2 === 1
      response.writeHead(isFirst ? 400 : 200, { 'content-type': 'application/json' })
      response.end(isFirst ? tooLong : '{"ok":true}')
    })
  }

  it.each([
    ['was sent as it surely fits', {}],
    ['was counted before', { 'x-precis-target': '40000' }],
    ['was made smaller before', { 'x-precis-target': '9000' }],
  ])('is made smaller by the thread as well, where it %s', async (when, headers) => {
    refuseFirst()
    // Another conversation each time: what was refused is remembered.
    const body = JSON.stringify(REQUESTS['openai-chat'].body(60)).replace('Turn 0', when)
    const { status, notes: said, sent } = await both('/v1/chat/completions', { body, headers })
    expect(status).toBe(200)
    expect(said).toMatchObject({ 'x-precis-outcome': 'compacted', 'x-precis-retry': 'overflow' })
    const [first, second] = sent.map(({ bytes }) => bytes.length) as [number, number]
    expect(second / first).toBeLessThan(0.5)
  })
})
