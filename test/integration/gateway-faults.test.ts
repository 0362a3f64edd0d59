/** What gateways get from their contracts when something is wrong: with them, with us, or with a model. */
import { afterEach, describe, expect, it } from 'vitest'
import {
  agentgatewayGuardrail,
  type GoldenRequest,
  kongCompressPrompt,
  kongJsonRpc,
  litellmGuardrail,
  litellmHeadroom,
  portkeyWebhook,
} from '../golden/gateways/requests.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import {
  GATEWAY_ENVIRONMENT,
  plainConversation,
  toolConversation,
} from '../helpers/gateway-conversation.ts'
import { readGuardrailAction } from '../helpers/gateway-rules/agentgateway-webhook.ts'
import { applyGuardrailAnswer } from '../helpers/gateway-rules/litellm-guardrail.ts'
import { acceptHeadroomAnswer } from '../helpers/gateway-rules/litellm-headroom.ts'
import { applyWebhookAnswer } from '../helpers/gateway-rules/portkey-webhook.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { TIMED } from '../helpers/timed.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const service = await startService({ ...GATEWAY_ENVIRONMENT, ...environment })
  closing.push(service.close)
  return service
}

const post = (service: RunningService, { path, headers }: GoldenRequest, body: unknown) =>
  service.send(path, { method: 'POST', headers, body })

const ALL: readonly (readonly [string, GoldenRequest])[] = [
  ['headroom', litellmHeadroom()],
  ['portkey', portkeyWebhook()],
  ['litellm', litellmGuardrail()],
  ['kong', kongCompressPrompt],
  ['kong over JSON-RPC', kongJsonRpc],
  ['agentgateway', agentgatewayGuardrail()],
]

/** The text of an error, wherever the contract has it. */
function errorText(contract: string, body: string): string {
  const answer = JSON.parse(body)
  switch (contract) {
    case 'headroom':
      expect(answer).toEqual({ error: { type: expect.any(String), message: expect.any(String) } })
      return answer.error.message
    case 'portkey':
      expect(answer).toEqual({
        verdict: true,
        data: { outcome: 'passed', reason: expect.any(String) },
      })
      return answer.data.reason
    case 'litellm':
      expect(answer).toEqual({ detail: expect.any(String) })
      return answer.detail
    case 'kong':
      expect(answer).toEqual({ error: { message: expect.any(String) } })
      return answer.error.message
    case 'agentgateway':
      expect(answer).toEqual({ error: expect.any(String) })
      return answer.error
    default:
      expect(answer).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: expect.any(Number), message: expect.any(String) },
      })
      return answer.error.message
  }
}

describe.each(ALL)('the contract of %s', (contract, request) => {
  it('says in its own shape that a body is not JSON', async () => {
    const service = await start()
    const answer = await post(service, request, '{"text": [')
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    const text = errorText(contract, answer.body)
    if (contract !== 'portkey') expect(text).toContain('line 1')
    expect(answer.headers['x-precis-outcome']).toBe('refused')
    expect(answer.headers['x-precis-reason']).toBe('invalid-json')
  })

  it('asks for a key in its own shape, and takes one in the header that is its own', async () => {
    const service = await start({ PRECIS_API_KEYS: 'the-key-of-the-test' })
    const {
      authorization: _1,
      'x-api-key': _2,
      ...headers
    } = request.headers as Record<string, string>
    const bare = { ...request, headers }
    const refused = await post(service, bare, request.body)
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    errorText(contract, refused.body)
    const own = { headroom: 'x-headroom-proxy-token', litellm: 'x-api-key' }[contract]
    for (const extra of [
      { authorization: 'Bearer the-key-of-the-test' },
      { [own ?? 'x-precis-api-key']: 'the-key-of-the-test', authorization: 'Bearer a-clients-own' },
    ]) {
      const taken = await post(
        service,
        { ...bare, headers: { ...headers, ...extra } },
        request.body,
      )
      expect(taken.statusCode).toBe(200)
    }
  })

  it('takes JSON and nothing else', async () => {
    const service = await start()
    const answer = await service.send(request.path, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    })
    expect(answer.statusCode).toBe(415)
    errorText(contract, answer.body)
  })

  it('keeps what was posted out of errors and logs', async () => {
    const service = await start()
    const canary = 'narwhal-canary'
    const body = { ...request.body, messages: canary, text: 5, request: canary, body: canary }
    const answer = await post(service, request, { ...body, texts: canary, [canary]: canary })
    expect(answer.body).not.toContain(canary)
    await post(service, request, `{"${canary}`)
    expect(service.logText()).not.toContain(canary)
  })
})

describe('a body that does not follow its schema', () => {
  it.each([
    ['headroom', litellmHeadroom(), { model: 'm' }, '/messages'],
    ['headroom', litellmHeadroom(), { messages: [], token_budget: 'many' }, '/token_budget'],
    [
      'headroom',
      litellmHeadroom(),
      { messages: [{}], config: { frozen_message_count: -1 } },
      '/config/frozen_message_count',
    ],
    ['headroom', litellmHeadroom(), { messages: [{}], config: { mode: 'x' } }, '/config/mode'],
    ['litellm', litellmGuardrail(), { texts: [1] }, '/texts/0'],
    ['kong', kongCompressPrompt, { text: [{ msg_id: 1 }] }, '/text/0/text'],
    [
      'kong',
      kongCompressPrompt,
      { text: 'a', compress_ranges: [{ min_tokens: 0, max_tokens: 1, value: 0 }] },
      '/compress_ranges/0/value',
    ],
    ['agentgateway', agentgatewayGuardrail(), {}, '/body'],
  ] as const)(
    'of %s is refused with the place that is wrong',
    async (contract, request, body, pointer) => {
      const service = await start()
      const answer = await post(service, request, body)
      expect(answer.statusCode).toBe(400)
      expect(errorText(contract, answer.body)).toContain(pointer)
    },
  )

  it('is refused with the code of JSON-RPC for the fault', async () => {
    const service = await start()
    const codeOf = async (body: unknown) => {
      const { statusCode, body: text } = await post(service, kongJsonRpc, body)
      return [statusCode, JSON.parse(text).error.code]
    }
    expect(await codeOf({ ...kongJsonRpc.body, method: 'llm.v2' })).toEqual([200, -32601])
    expect(await codeOf({ ...kongJsonRpc.body, params: { text: 5 } })).toEqual([200, -32602])
    expect(await codeOf({ method: 'llm.v1.compressPrompt' })).toEqual([200, -32600])
    expect(await codeOf([])).toEqual([200, -32600])
    expect(await codeOf('{')).toEqual([400, -32700])
  })

  it('of a webhook is answered with a verdict all the same', async () => {
    const service = await start()
    const answer = await post(service, portkeyWebhook(), { request: 5 })
    expect(answer.statusCode).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ verdict: true })
  })
})

describe('a conversation that cannot be worked on', () => {
  const BROKEN = [{ role: 'tool', content: 5 }, { role: 'wizard' }]

  it('comes back to Headroom’s callers as it came, with the reason', async () => {
    const service = await start()
    for (const messages of [BROKEN, [1, 'x'], [{ parts: [{ type: 'text', text: 'x' }] }]]) {
      const answer = await post(service, litellmHeadroom(), { messages })
      expect(answer.statusCode).toBe(200)
      expect(JSON.parse(answer.body)).toMatchObject({
        messages,
        tokens_saved: 0,
        compression_ratio: 1,
        compression_skipped: true,
        skip_reason: answer.headers['x-precis-reason'],
      })
      expect(answer.headers['x-precis-outcome']).toBe('passed')
    }
  })

  it('passes every other contract', async () => {
    const service = await start()
    const json = { model: 'm', messages: BROKEN }
    const webhook = await post(service, portkeyWebhook(), portkeyWebhook(json).body)
    expect(applyWebhookAnswer(webhook, json)).toEqual({ verdict: true, isError: false, json })
    const guardrail = await post(service, litellmGuardrail(), {
      ...litellmGuardrail([{ role: 'wizard', content: 'x' }]).body,
    })
    expect(JSON.parse(guardrail.body)).toEqual({ action: 'NONE' })
    expect(webhook.headers['x-precis-reason']).toBe('invalid-conversation')
  })

  it('with more messages than the limit comes back as it came', async () => {
    const service = await start({ PRECIS_MAX_MESSAGES: '10' })
    const answer = await post(service, litellmHeadroom(), litellmHeadroom().body)
    expect(acceptHeadroomAnswer(answer)).toEqual(toolConversation())
    expect(answer.headers['x-precis-reason']).toBe('too-many-messages')
  })
})

describe('a body that is larger than the limit', () => {
  it('passes where the contract lets it, and is refused where the texts would have to come back', async () => {
    const service = await start({ PRECIS_BODY_LIMIT_BYTES: '2048' })
    const messages = toolConversation()
    const webhook = await post(service, portkeyWebhook(), portkeyWebhook().body)
    expect(applyWebhookAnswer(webhook, 'as it was')).toMatchObject({
      verdict: true,
      json: 'as it was',
    })
    const guardrail = await post(service, litellmGuardrail(), litellmGuardrail().body)
    expect(applyGuardrailAnswer(guardrail, messages)).toBe(messages)
    const guard = await post(service, agentgatewayGuardrail(), agentgatewayGuardrail().body)
    expect(readGuardrailAction(guard.body)).toEqual({ kind: 'pass' })
    for (const { headers } of [webhook, guardrail, guard]) {
      expect(headers['x-precis-reason']).toBe('payload-too-large')
    }
    const headroom = await post(service, litellmHeadroom(), litellmHeadroom().body)
    expect([headroom.statusCode, JSON.parse(headroom.body).error.type]).toEqual([
      413,
      'payload_too_large',
    ])
  })
})

describe('more requests than there is room for', () => {
  it('pass where the contract lets them, and are told to come again elsewhere', async () => {
    const decide = await WIRES.systemone.start(() => 0.01)
    decide.setFault('hang')
    const service = await start({
      ...decideVariables('systemone', decide.url, 60_000),
      PRECIS_MAX_CONCURRENT_REQUESTS: '1',
    })
    closing.push(decide.close)
    const first = post(service, litellmHeadroom(), {
      messages: plainConversation(),
      token_budget: 5_000,
    })
    await eventually(() => decide.requests.length > 0)
    const webhook = await post(service, portkeyWebhook(), portkeyWebhook().body)
    expect(applyWebhookAnswer(webhook, 1)).toEqual({ verdict: true, isError: false, json: 1 })
    expect(webhook.headers['x-precis-reason']).toBe('overloaded')
    const guardrail = await post(service, litellmGuardrail(), litellmGuardrail().body)
    expect(JSON.parse(guardrail.body)).toEqual({ action: 'NONE' })
    const headroom = await post(service, litellmHeadroom(), litellmHeadroom().body)
    expect(headroom.statusCode).toBe(503)
    expect(headroom.headers['retry-after']).toBe('1')
    expect(JSON.parse(headroom.body).error.type).toBe('overloaded')
    const kong = await post(service, kongCompressPrompt, kongCompressPrompt.body)
    expect(kong.statusCode).toBe(503)
    await decide.close()
    acceptHeadroomAnswer(await first)
  })
})

describe('a decide model that hangs', () => {
  it(
    'leaves a webhook its answer within Portkey’s three seconds, compacted by position',
    TIMED,
    async () => {
      const decide = await WIRES.systemone.start(() => 0.01)
      decide.setFault('hang')
      const service = await start(decideVariables('systemone', decide.url, 60_000))
      closing.push(decide.close)
      const json = { model: 'gateway-test-model', messages: plainConversation() }
      const answer = await post(service, portkeyWebhook(json), portkeyWebhook(json).body)
      expect(answer.milliseconds).toBeLessThan(3_000)
      expect(applyWebhookAnswer(answer, json)).toMatchObject({ verdict: true })
      expect(answer.headers['x-precis-outcome']).toBe('compacted')
    },
  )

  it.each([
    ['the query', '?timeout_ms=400', {}],
    ['a header', '', { 'x-precis-timeout-ms': '400' }],
  ])('leaves a caller the time that it names in %s', TIMED, async (_name, query, headers) => {
    const decide = await WIRES.systemone.start(() => 0.01)
    decide.setFault('hang')
    const service = await start(decideVariables('systemone', decide.url, 60_000))
    closing.push(decide.close)
    const json = { model: 'gateway-test-model', messages: plainConversation() }
    const request = portkeyWebhook(json)
    const answer = await service.send(`${request.path}${query}`, {
      method: 'POST',
      headers: { ...request.headers, ...headers },
      body: request.body,
    })
    expect(answer.milliseconds).toBeLessThan(1_000)
    expect(answer.headers['x-precis-outcome']).toBe('compacted')
  })

  it('refuses a time that is none', async () => {
    const service = await start()
    const answer = await service.send('/v1/compress?timeout_ms=soon', {
      method: 'POST',
      body: litellmHeadroom().body,
    })
    expect(answer.statusCode).toBe(400)
    expect(JSON.parse(answer.body).error.message).toContain('timeout_ms')
  })
})
