/** Bodies in chunks, whose length nobody knows before they are here. */
import { Agent } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { expectProblem } from '../helpers/expect-problem.ts'
import { startLlmServer } from '../helpers/llm-servers/start-llm-server.ts'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

const BODY_LIMIT = 1_048_576
/** Of the bytes that may be in progress, four fifths are for bodies that may be large. */
const MAX_BYTES = 2 * BODY_LIMIT

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const service = await startService({
    PRECIS_BODY_LIMIT_BYTES: String(BODY_LIMIT),
    PRECIS_MAX_CONCURRENT_BYTES: String(MAX_BYTES),
    ...environment,
  })
  closing.push(service.close)
  return service
}

const bodyOf = (bytes: number) =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'x'.repeat(bytes) }],
    targetTokens: 1_000_000,
  })

const post = (service: RunningService, body: string, chunkBytes: number) =>
  callRaw(`${service.url}/compact`, { body, chunkBytes })

const bytesInFlight = async (service: RunningService) =>
  (await service.metrics()).sum('precis_http_request_bytes_in_flight')

describe('a body in chunks', () => {
  it('takes the room of what has come of it: many small ones are served at once', async () => {
    const service = await start()
    const body = bodyOf(5_000)
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(service, body, 1_000)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await bytesInFlight(service)).toBe(0)
  })

  it('is refused on the way where there is no room for the rest, and the connection stays', async () => {
    const service = await start({ PRECIS_WORKERS: '0' })
    const body = bodyOf(900_000)
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(service, body, 20_000)))
    const refused = answers.filter(({ status }) => status === 503)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, bytes } of refused) {
      expect(headers['retry-after']).toBe('1')
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'overloaded' })
    }
    expect(await bytesInFlight(service)).toBe(0)
    expect((await post(service, body, 20_000)).status).toBe(200)
  })

  it('is refused as too large beyond the limit, gives back its room, and holds nobody up', async () => {
    const service = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (bytes: number, chunkBytes: number) =>
      callRaw(`${service.url}/compact`, { agent, body: bodyOf(bytes), chunkBytes })
    expect((await send(2 * BODY_LIMIT, 50_000)).status).toBe(413)
    expect(await bytesInFlight(service)).toBe(0)
    expect((await send(100, 10)).status).toBe(200)
    agent.destroy()
  })

  it('leaves its place when its caller leaves in the middle', async () => {
    const service = await start({ PRECIS_MAX_CONCURRENT_REQUESTS: '1' })
    const leaving = new AbortController()
    const gone = fetch(`${service.url}/compact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"messages":')) }),
      duplex: 'half',
      signal: leaving.signal,
    } as RequestInit).catch(() => 'gone')
    await expect.poll(() => bytesInFlight(service)).toBeGreaterThan(0)
    expectProblem(
      await service.send('/compact', { method: 'POST', body: { messages: [] } }),
      'overloaded',
    )
    leaving.abort()
    expect(await gone).toBe('gone')
    await expect.poll(() => bytesInFlight(service)).toBe(0)
    expect((await post(service, bodyOf(10), 10)).status).toBe(200)
  })
})

describe('a request without a body', () => {
  it('takes no room', async () => {
    const model = await startLlmServer()
    closing.push(model.close)
    const service = await start({ PRECIS_UPSTREAM_OPENAI_URL: model.origin })
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.send('/v1/models')))
    expect(answers.filter(({ statusCode }) => statusCode === 503)).toEqual([])
  })
})
