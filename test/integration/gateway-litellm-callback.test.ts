/** deploy/litellm/precis_callback.py against a running service, in Debian's own Python. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anthropicConversation,
  GATEWAY_ENVIRONMENT,
  GATEWAY_MODEL,
  toolConversation,
} from '../helpers/gateway-conversation.ts'
import { hasHttpx, runHook } from '../helpers/litellm-callback.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

const isThere = hasHttpx()
if (!isThere) {
  console.warn('SKIPPED: no python3 with httpx. Debian: apt-get install python3-httpx')
}

// In CI a missing Python is a failure: there it must not be skipped in silence.
const enabled = isThere || Boolean(process.env.CI)

const KEY = 'the-key-of-the-test'
const TOOLS = [{ type: 'function', function: { name: 'read_log', parameters: { type: 'object' } } }]

let service: RunningService
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  service = await startService({ ...GATEWAY_ENVIRONMENT, PRECIS_API_KEYS: KEY })
  closing.push(service.close)
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const environment = () => ({ PRECIS_URL: service.url, PRECIS_API_KEY: KEY })
const chat = (members: Readonly<Record<string, unknown>> = {}) => ({
  callType: 'acompletion',
  data: {
    model: GATEWAY_MODEL,
    messages: toolConversation(),
    tools: TOOLS,
    max_tokens: 800,
    stream: true,
    metadata: { user_api_key: 'k' },
    ...members,
  },
})

/** Of the metadata of a request what goes further. */
function withoutAsked({ metadata }: Readonly<Record<string, unknown>>): object {
  const { precis: _asked, ...others } = metadata as Readonly<Record<string, unknown>>
  return others
}

async function check(members: Readonly<Record<string, unknown>>): Promise<boolean> {
  const { body } = await service.send('/check', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: members,
  })
  return JSON.parse(body).valid
}

/** The URL of a server that answers so. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.runIf(enabled)('the LiteLLM callback', () => {
  test('sends on a compacted conversation of each API, and leaves the rest of the request alone', async () => {
    const input = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} `.repeat(200),
    }))
    const calls = [
      chat(),
      {
        callType: 'anthropic_messages',
        data: {
          model: GATEWAY_MODEL,
          system: 'You keep the build green.',
          max_tokens: 800,
          messages: anthropicConversation(),
        },
      },
      { callType: 'aresponses', data: { model: GATEWAY_MODEL, instructions: 'Be brief.', input } },
    ]
    const outcomes = await runHook(calls, environment())
    for (const [index, { data }] of outcomes.entries()) {
      const sent = calls[index]?.data as Record<string, unknown>
      const member = 'input' in sent ? 'input' : 'messages'
      const { [member]: list, ...others } = data
      const { [member]: before, ...othersBefore } = sent
      expect(others).toEqual(othersBefore)
      expect((list as unknown[]).length).toBeLessThan((before as unknown[]).length)
      expect(await check({ [member]: list })).toBe(true)
    }
    expect(outcomes[0]?.log).toMatch(/precis: \d+ tokens -> \d+/)
  })

  test('leaves alone what is within its budget, asks for a bypass, or is no conversation', async () => {
    const calls = [
      chat({ messages: toolConversation(2, 3) }),
      chat({ metadata: { precis: { bypass: true } } }),
      { callType: 'embeddings', data: { model: 'e', input: ['a'] } },
      { callType: 'acompletion', data: { model: 'm' } },
      { callType: 'rerank', data: { model: 'm', messages: toolConversation() } },
    ]
    const outcomes = await runHook(calls, environment())
    expect(outcomes.map(({ data }) => data)).toEqual(
      calls.map(({ data }) =>
        'metadata' in data ? { ...data, metadata: withoutAsked(data) } : data,
      ),
    )
  })

  test('takes what a request asks of it out of the metadata, which a provider would refuse', async () => {
    const asked = { precis: { targetTokens: 1_500 } }
    const input = toolConversation(30, 2).flatMap(({ role, content }) =>
      role === 'user' ? [{ role, content: String(content).repeat(20) }] : [],
    )
    const calls = [
      {
        callType: 'aresponses',
        data: { model: GATEWAY_MODEL, input, metadata: { run: '1', ...asked } },
      },
      {
        callType: 'anthropic_messages',
        data: {
          model: GATEWAY_MODEL,
          messages: anthropicConversation(),
          metadata: { user_id: 'u' },
          litellm_metadata: asked,
        },
      },
      { callType: 'aresponses', data: { input: 'x', metadata: { precis: 'not what it takes' } } },
    ]
    const outcomes = await runHook(calls, environment())
    expect(outcomes.map(({ data: { metadata } }) => metadata)).toEqual([
      { run: '1' },
      { user_id: 'u' },
      {},
    ])
    expect(outcomes[1]?.data.litellm_metadata).toEqual({})
    const sizes = [...(outcomes[0]?.log ?? '').matchAll(/tokens -> (\d+)/g)].map(([, size]) =>
      Number(size),
    )
    expect(sizes).toHaveLength(2)
    for (const size of sizes) expect(size).toBeLessThanOrEqual(1_500)
  })

  test('leaves alone what goes on from a conversation that the provider has stored', async () => {
    const outputs = Array.from({ length: 60 }, (_, index) => ({
      type: 'function_call_output',
      call_id: `call_${index}`,
      output: `${index} `.repeat(200),
    }))
    const messages = anthropicConversation()
    const calls = [
      {
        callType: 'aresponses',
        data: { model: GATEWAY_MODEL, previous_response_id: 'r', input: outputs },
      },
      { callType: 'aresponses', data: { model: GATEWAY_MODEL, conversation: 'c', input: outputs } },
      {
        callType: 'anthropic_messages',
        data: { model: GATEWAY_MODEL, thread: { type: 'continue', id: 't' }, messages },
      },
    ]
    const outcomes = await runHook(calls, environment())
    expect(outcomes.map(({ data }) => data)).toEqual(calls.map(({ data }) => data))
  })

  test('keeps to the target that a request names in its metadata', async () => {
    const [outcome] = await runHook(
      [chat({ metadata: { precis: { targetTokens: 1_500, profile: 'agent' } } })],
      environment(),
    )
    const after = /tokens -> (\d+)/.exec(outcome?.log ?? '')?.[1]
    expect(Number(after)).toBeGreaterThan(500)
    expect(Number(after)).toBeLessThanOrEqual(1_500)
  })

  test('sends the request on as it came whatever goes wrong, and says why without its text', {
    timeout: 60_000,
    ...TIMED,
  }, async () => {
    const hanging = await listen(() => {})
    const babbling = await listen((_request, response) => {
      response.setHeader('content-type', 'application/json').end('[1')
    })
    const call = chat({ messages: [...toolConversation(), { role: 'user', content: 'narwhal' }] })
    for (const [variables, reason] of [
      [{ PRECIS_URL: 'http://127.0.0.1:9' }, /ConnectError/],
      [{ PRECIS_URL: hanging, PRECIS_TIMEOUT: '0.3' }, /Timeout/],
      [{ PRECIS_URL: babbling }, /JSONDecodeError/],
      [{ PRECIS_API_KEY: 'not-the-key-of-it' }, /answered 401 unauthorized/],
      [{ PRECIS_TARGET_TOKENS: '-5' }, /answered 400 invalid-request/],
    ] as const) {
      const [outcome] = await runHook([call], { ...environment(), ...variables })
      expect(outcome?.data).toEqual(call.data)
      expect(outcome?.log).toMatch(reason)
      expect(outcome?.log).not.toContain('narwhal')
      expect(outcome?.seconds).toBeLessThan(5)
    }
  })
})
