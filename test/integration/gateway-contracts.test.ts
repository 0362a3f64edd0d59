/** Which contracts a service has, what it tells of them, and bytes that pass through them. */
import { afterEach, describe, expect, it } from 'vitest'
import { GATEWAY_CONTRACTS } from '../../src/contract/gateways/names.ts'
import {
  agentgatewayGuardrail,
  agentgatewayRaw,
  type GoldenRequest,
  kongCompressPrompt,
  kongJsonRpc,
  litellmGuardrail,
  litellmHeadroom,
  portkeyWebhook,
} from '../golden/gateways/requests.ts'
import {
  GATEWAY_ENVIRONMENT,
  GATEWAY_MODEL,
  toolConversation,
} from '../helpers/gateway-conversation.ts'
import { readGuardrailAction } from '../helpers/gateway-rules/agentgateway-webhook.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const service = await startService({ ...GATEWAY_ENVIRONMENT, ...environment })
  closing.push(service.close)
  return service
}

const REQUESTS: Readonly<Record<(typeof GATEWAY_CONTRACTS)[number], readonly GoldenRequest[]>> = {
  headroom: [litellmHeadroom()],
  portkey: [portkeyWebhook()],
  litellm: [litellmGuardrail()],
  kong: [kongCompressPrompt, kongJsonRpc],
  agentgateway: [agentgatewayGuardrail(), agentgatewayRaw(toolConversation())],
}

const send = (service: RunningService, { path, headers, body }: GoldenRequest) =>
  service.send(path, { method: 'POST', headers, body })

async function answered(service: RunningService): Promise<readonly string[]> {
  const names: string[] = []
  for (const name of GATEWAY_CONTRACTS) {
    for (const request of REQUESTS[name]) {
      const { statusCode } = await send(service, request)
      expect([200, 404]).toContain(statusCode)
      if (statusCode === 200) names.push(name)
    }
  }
  return [...new Set(names)]
}

describe('the contracts of a service', () => {
  it.each([
    [undefined, GATEWAY_CONTRACTS],
    ['kong, headroom', ['headroom', 'kong']],
    ['none', []],
  ])('are those that PRECIS_GATEWAY_CONTRACTS=%s names', async (value, expected) => {
    const service = await start(value === undefined ? {} : { PRECIS_GATEWAY_CONTRACTS: value })
    expect(await answered(service)).toEqual(expected)
    for (const [path, name] of [
      ['/health', 'headroom'],
      ['/status', 'kong'],
    ] as const) {
      const { statusCode } = await service.send(path)
      expect(statusCode).toBe(([...expected] as string[]).includes(name) ? 200 : 404)
    }
  })

  it('are counted by what was done, from zero', async () => {
    const service = await start()
    const count = async (contract: string, outcome: string) =>
      (await service.metrics()).sum('precis_gateway_requests_total', { contract, outcome })
    expect((await service.metrics()).text).toContain(
      'precis_gateway_requests_total{contract="headroom",outcome="compacted"} 0',
    )
    for (const requests of Object.values(REQUESTS))
      for (const one of requests) await send(service, one)
    await service.send('/v1/compress', { method: 'POST', body: '{' })
    for (const contract of GATEWAY_CONTRACTS) {
      expect(await count(contract, 'compacted')).toBe(REQUESTS[contract].length)
    }
    expect(await count('headroom', 'refused')).toBe(1)
    expect(await count('portkey', 'passed')).toBe(0)
  })

  it('tell in headers what was done', async () => {
    const service = await start()
    for (const [name, [request]] of Object.entries(REQUESTS)) {
      if (request === undefined) throw new Error(`${name} has no request`)
      const { headers } = await send(service, request)
      expect(headers['x-precis-outcome']).toBe('compacted')
      const after = Number(headers['x-precis-tokens-after'])
      expect(after).toBeGreaterThan(0)
      expect(after).toBeLessThan(Number(headers['x-precis-tokens-before']))
    }
  })

  it('leave a request alone that asks for it, and keep to a target that it names', async () => {
    const service = await start()
    for (const name of ['headroom', 'portkey', 'litellm', 'agentgateway'] as const) {
      const [request] = REQUESTS[name]
      if (request === undefined) throw new Error(`${name} has no request`)
      const with_ = (headers: Readonly<Record<string, string>>) =>
        send(service, { ...request, headers: { ...request.headers, ...headers } })
      expect((await with_({ 'x-precis-bypass': 'true' })).headers['x-precis-outcome']).toBe(
        'bypassed',
      )
      const roomy = await with_({ 'x-precis-target': '900000' })
      expect(roomy.headers['x-precis-outcome']).toBe('unchanged')
      expect((await with_({ 'x-precis-target': 'small' })).statusCode).toBe(400)
    }
  })
})

describe('a conversation that is not edited whole', () => {
  const odd = (role: string, text: string) =>
    `{ "role":"${role}" , "content":${JSON.stringify(text)},"n":1.0,"s":"\\u00e9\\/" }`
  const list = Array.from({ length: 60 }, (_, index) =>
    odd(index % 2 === 0 ? 'user' : 'assistant', `${index} `.repeat(100)),
  )

  it('keeps its bytes through Portkey’s webhook, and so do the members beside it', async () => {
    const service = await start()
    const json = `{"temperature" : 1.0, "model":"${GATEWAY_MODEL}","messages":[${list.join(' ,\n')}], "seed":12345678901234567890}`
    const { body } = await service.send('/webhooks/portkey', {
      method: 'POST',
      body: `{"request":{"json":1},"request":{"text":"x","json":0,"json":${json}},"requestType":"chatComplete"}`,
    })
    expect(body).toContain(`"temperature" : 1.0, "model":"${GATEWAY_MODEL}","messages":[`)
    expect(body).toContain(', "seed":12345678901234567890}}}')
    const kept = list.filter((message) => body.includes(message))
    const sent = JSON.parse(body).transformedData.request.json.messages
    expect(kept).toHaveLength(sent.length - 1)
  })

  it('keeps its bytes through agentgateway’s webhook in both forms', async () => {
    const service = await start()
    const raw = await service.send('/request', {
      method: 'POST',
      body: `{"model":"${GATEWAY_MODEL}","messages":[${list.join(' ,\n')}]}`,
    })
    const { messages } = JSON.parse(raw.body)
    expect(list.filter((message) => raw.body.includes(message))).toHaveLength(messages.length - 1)

    const plain = list.map((message) => message.replace(/,"n":.*/, ' }'))
    const guarded = await service.send('/request', {
      method: 'POST',
      headers: { 'x-precis-target': '5000' },
      body: `{"body":{"messages":[${plain.join(' ,\n')}]}}`,
    })
    const action = readGuardrailAction(guarded.body)
    if (action.kind !== 'mask') throw new Error(`it is a ${action.kind}`)
    const kept = plain.filter((message) => guarded.body.includes(message))
    expect(kept).toHaveLength(action.messages.length - 1)
  })
})

describe('a turn after a turn', () => {
  it('sends the same prefix on through Headroom’s contract until the budget is outgrown again', async () => {
    const service = await start()
    const history = toolConversation(40, 30)
    const ends = history.flatMap(({ role }, index) =>
      role === 'user' && index > 1 ? [index + 1] : [],
    )
    let previous: string[] = []
    let kept = 0
    let steps = 0
    for (const end of ends) {
      const { body } = await send(service, litellmHeadroom(history.slice(0, end)))
      const sent = (JSON.parse(body).messages as unknown[]).map((message) =>
        JSON.stringify(message),
      )
      if (previous.every((message, index) => message === sent[index])) kept += 1
      else steps += 1
      previous = sent
    }
    expect(kept + steps).toBe(ends.length)
    expect(steps).toBeGreaterThan(2)
    expect(steps).toBeLessThan(ends.length / 3)
  })
})
