import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { LlmServerRules } from '../../helpers/llm-servers/llm-rules.ts'
import { type LlmServer, startLlmServer } from '../../helpers/llm-servers/start-llm-server.ts'
import { createServiceClient } from '../../helpers/service-client.ts'
import { API_SAMPLES, type ApiSample } from './llm-server-samples.ts'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function start(rules: Partial<LlmServerRules> = {}) {
  const server = await startLlmServer(rules)
  const client = createServiceClient(server.origin)
  open.push(client, server)
  const ask = async (sample: ApiSample, turns: readonly unknown[], members: object = {}) => {
    const body = { ...sample.request(turns), ...members }
    const answer = await client.send(sample.path, { method: 'POST', body, headers: sample.headers })
    return { status: answer.statusCode, text: answer.body, body: JSON.parse(answer.body) }
  }
  return { server, client, ask }
}

describe.each(API_SAMPLES)('$name', (sample) => {
  const exchange = [sample.user('go'), sample.call('call_0001'), sample.result('call_0001', 'done')]

  it('answers a well-formed conversation', async () => {
    const { ask } = await start()
    expect(await ask(sample, exchange)).toMatchObject({ status: 200 })
  })

  it('gives the same bytes for the same bytes', async () => {
    const { ask } = await start()
    const [first, second] = [await ask(sample, exchange), await ask(sample, exchange)]
    expect(first.text).toBe(second.text)
    const other = await ask(sample, [sample.user('stop')])
    expect(other.text).not.toBe(first.text)
  })

  it('refuses a call without its result, in the words of the provider', async () => {
    const { ask } = await start()
    const broken = [sample.user('go'), sample.call('call_0001'), sample.user('and?')]
    const { status, text } = await ask(sample, broken)
    expect(status).toBe(400)
    expect(text).toContain(sample.callWithoutResult)
  })

  it('refuses a call without its result at the end as well', async () => {
    const { ask } = await start()
    const { status, text } = await ask(sample, [sample.user('go'), sample.call('call_0001')])
    expect(status).toBe(400)
    expect(text).toContain(sample.callWithoutResult)
  })

  it('refuses a result without its call', async () => {
    const { ask } = await start()
    const broken = [sample.user('go'), sample.result('call_0001', 'done')]
    const { status, text } = await ask(sample, broken)
    expect(status).toBe(400)
    expect(text).toContain(sample.resultWithoutCall)
  })

  it('refuses a member that the API does not know', async () => {
    const { ask } = await start()
    const { status } = await ask(sample, exchange, { precis: { targetTokens: 5 } })
    expect(status).toBe(400)
  })

  it('refuses who brings no key', async () => {
    const { client } = await start()
    const body = sample.request(exchange)
    const { statusCode } = await client.send(sample.path, { method: 'POST', body })
    expect([400, 401, 403]).toContain(statusCode)
  })

  it('refuses a prompt above the window in the words of the provider, and takes it below', async () => {
    const { ask, server } = await start({ contextWindow: 200 })
    expect((await ask(sample, [sample.user('word '.repeat(100))])).status).toBe(200)
    const { status, body } = await ask(sample, [sample.user('word '.repeat(300))])
    expect(status).toBe(400)
    expect(body).toMatchObject(sample.overflow)
    const tokens = server.requests.at(-1)?.tokens ?? 0
    expect(tokens).toBeGreaterThanOrEqual(300)
    expect(tokens).toBeLessThan(350)
  })

  it('calls a tool for as many turns as it was told, wherever the conversation begins', async () => {
    const { ask } = await start({ toolTurns: 7 })
    const tools = sample.tools
    expect((await ask(sample, [sample.user('go')], tools)).text).toContain('call_0001')
    const late = [sample.user('go'), sample.call('call_0006', 6), sample.result('call_0006', 'ok')]
    expect((await ask(sample, late, tools)).text).toContain('call_0007')
    const last = [sample.user('go'), sample.call('call_0007', 7), sample.result('call_0007', 'ok')]
    expect((await ask(sample, last, tools)).text).not.toContain('call_0008')
  })
})

describe('faults', () => {
  const [chat] = API_SAMPLES
  const send = async (server: LlmServer, signal?: AbortSignal) =>
    fetch(`${server.origin}${chat.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...chat.headers },
      body: JSON.stringify({ ...chat.request([chat.user('go')]), stream: true }),
      ...(signal !== undefined && { signal }),
    })

  it('cuts the connection in the middle of a stream, after what it was told to send', async () => {
    const { server } = await start()
    server.faultNext({ kind: 'reset-mid-answer', afterEvents: 3 })
    const response = await send(server)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    await expect(server.requests[0]?.closed).resolves.toBe('aborted')
  })

  it('sends an error event in the middle of a stream, and ends it', async () => {
    const { server } = await start()
    server.faultNext({ kind: 'error-mid-answer', afterEvents: 3 })
    const events = (await (await send(server)).text()).trim().split('\n\n')
    expect(events).toHaveLength(4)
    expect(events[3]).toContain('server_error')
  })

  it('ends early without a word', async () => {
    const { server } = await start()
    server.faultNext({ kind: 'cut-mid-answer', afterEvents: 3 })
    const text = await (await send(server)).text()
    expect(text.trim().split('\n\n')).toHaveLength(3)
    expect(text).not.toContain('[DONE]')
  })

  it('hangs before and after its headers until the client goes, and sees it go', async () => {
    const { server } = await start()
    server.faultNext({ kind: 'hang' }, { kind: 'hang-mid-answer' })
    const [before, after] = [new AbortController(), new AbortController()]
    const unanswered = send(server, before.signal)
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1)
    expect(await Promise.race([unanswered, sleep(100, 'nothing')])).toBe('nothing')
    before.abort()
    await expect(unanswered).rejects.toThrow()
    const text = (await send(server, after.signal)).text()
    expect(await Promise.race([text, sleep(100, 'nothing')])).toBe('nothing')
    after.abort()
    await expect(text).rejects.toThrow()
    for (const { closed } of server.requests) await expect(closed).resolves.toBe('aborted')
    expect(server.requests.map(({ status }) => status)).toEqual([undefined, 200])
  })

  it('trickles the very bytes that it sends at once', async () => {
    const { server } = await start()
    const whole = await (await send(server)).text()
    server.faultNext({ kind: 'trickle', everyMs: 1, bytes: 50 })
    expect(await (await send(server)).text()).toBe(whole)
    server.setRules({ pace: { delayMs: 0, splitBytes: 7 } })
    expect(await (await send(server)).text()).toBe(whole)
    server.setRules({ compress: true })
    expect(await (await send(server)).text()).toBe(whole)
  })

  it('waits for a reader that does not read', async () => {
    const { server } = await start({ answerWords: 400_000 })
    const response = await send(server)
    await sleep(300)
    const sent = server.requests[0]?.sentBytes ?? 0
    await response.body?.cancel()
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(20_000_000)
    await expect(server.requests[0]?.closed).resolves.toBe('aborted')
  })
})
