/** Large requests of gateways are worked on by other threads: the same answers by every contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  plainConversation,
  toolConversation,
} from '../helpers/gateway-conversation.ts'
import type { ServiceAnswer } from '../helpers/service-client.ts'
import { type ServicePair, startServicePair } from '../helpers/service-pair.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

let pair: ServicePair

beforeAll(async () => {
  pair = await startServicePair(GATEWAY_ENVIRONMENT)
}, START_PROCESS_MS * 2)
afterAll(async () => {
  await pair?.close()
})

/** What takes other times on every run is left out. */
const timeless = (body: string): string => body.replaceAll(/"duration":[\d.]+/g, '"duration":0')

const comparable = ({ statusCode, headers, body }: ServiceAnswer) => ({
  statusCode,
  body: timeless(body),
  type: headers['content-type'],
  notes: Object.entries(headers).filter(([name]) => name.startsWith('x-precis-')),
})

type AnyRequest = Omit<GoldenRequest, 'body'> & { readonly body: unknown }

async function both({ path, headers, body }: AnyRequest, more = {}) {
  const send = { method: 'POST', headers: { ...headers, ...more }, body } as const
  const [threaded, alone] = await Promise.all([
    pair.threaded.send(path, send),
    pair.alone.send(path, send),
  ])
  expect(comparable(threaded)).toEqual(comparable(alone))
  return threaded
}

const REQUESTS: readonly (readonly [string, GoldenRequest])[] = [
  ['headroom', litellmHeadroom()],
  ['portkey', portkeyWebhook()],
  ['litellm', litellmGuardrail()],
  ['kong', kongCompressPrompt],
  ['kong by JSON-RPC', kongJsonRpc],
  ['agentgateway', agentgatewayGuardrail(plainConversation())],
  ['agentgateway with raw messages', agentgatewayRaw(toolConversation())],
]

describe.each(REQUESTS)('the answer of the contract %s', (_name, request) => {
  it('is that of the service itself, byte for byte', async () => {
    const { statusCode, headers } = await both(request)
    expect(statusCode).toBe(200)
    expect(headers['x-precis-outcome']).toMatch(/^(compacted|partial)$/)
  })

  it('is the same for a caller who asks to be left alone, or for little', async () => {
    await both(request, { 'x-precis-bypass': 'true' })
    await both(request, { 'x-precis-target': '10' })
    await both(request, { 'x-precis-timeout-ms': 'soon' })
  })

  it('is the same error for a body that is none of its own', async () => {
    const bodies = [{ ...request.body, messages: 7, text: 7, request: 7, texts: 7 }, 7]
    for (const body of [...bodies, '{"messages":[', '[[[['.repeat(300)]) {
      await both({ ...request, body })
    }
  })
})

describe('a batch of notifications', () => {
  it('is answered with nothing', async () => {
    const body = [{ jsonrpc: '2.0', method: 'x' }]
    expect((await both({ ...kongJsonRpc, body })).statusCode).toBe(204)
  })
})

describe('the metrics', () => {
  it('count what the threads did as what the service did', async () => {
    const [threaded, alone] = await Promise.all([pair.threaded.metrics(), pair.alone.metrics()])
    for (const [name, label] of [
      ['precis_gateway_requests_total', 'contract'],
      ['precis_gateway_requests_total', 'outcome'],
      ['precis_compactions_total', 'outcome'],
      ['precis_messages_dropped_total', 'stage'],
    ] as const) {
      expect(threaded.by(name, label)).toEqual(alone.by(name, label))
    }
    expect(threaded.sum('precis_compactions_total')).toBeGreaterThan(0)
  })
})
