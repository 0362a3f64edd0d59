/** P12 for the contracts of gateways, for large bodies on threads, and for recorded answers. */
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
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { GATEWAY_ENVIRONMENT, GATEWAY_MODEL } from '../helpers/gateway-conversation.ts'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import type { ServiceAnswer } from '../helpers/service-client.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { startTraceCollector, type TraceCollector } from '../helpers/trace-collector.ts'

const KEY = plant('key')
const MEMBER = plant('member')
const WORKER_MIN_BYTES = 60_000

const said = (count: number, place = 'message') =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${plant(place)} ${index} ${'and so on '.repeat(60)}`,
  }))

const json = { model: GATEWAY_MODEL, messages: said(80), user: plant('user') }
const kongBody = {
  ...(kongCompressPrompt.body as object),
  text: [{ msg_id: plant('id'), text: `${plant('message')} ${'and so on '.repeat(200)}` }],
}
const CONTRACTS: readonly GoldenRequest[] = [
  litellmHeadroom(said(80)),
  portkeyWebhook(json, { metadata: { user: plant('user') } }),
  litellmGuardrail(said(80), { litellm_call_id: plant('id') }),
  { ...kongCompressPrompt, body: kongBody },
  { ...kongJsonRpc, body: { ...kongJsonRpc.body, id: plant('id'), params: kongBody } },
  agentgatewayGuardrail(said(80)),
  agentgatewayRaw(said(80)),
]

let decide: DecideServer
let collector: TraceCollector
let service: ServiceProcess
let metrics = ''
const refused: string[] = []
const statuses = new Map<number, number>()

async function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServiceAnswer> {
  const answer = await service.send(path, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${KEY}`,
      'user-agent': plant('user-agent'),
      'x-precis-session': plant('session'),
      ...headers,
    },
  })
  const { statusCode } = answer
  statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  if (statusCode >= 400) refused.push(JSON.stringify(answer.headers) + answer.body)
  return answer
}

beforeAll(async () => {
  decide = await WIRES.systemone.start(() => 0.1)
  collector = await startTraceCollector()
  service = await startServiceProcess({
    environment: {
      ...GATEWAY_ENVIRONMENT,
      ...decideVariables('systemone', decide.url, 800),
      PRECIS_API_KEYS: KEY,
      PRECIS_WORKERS: '1',
      PRECIS_WORKER_MIN_BYTES: String(WORKER_MIN_BYTES),
      PRECIS_BODY_LIMIT_BYTES: '1000000',
      PRECIS_TRACING_URL: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  await gateways()
  await threads()
  await recordings()
  metrics = (await service.metrics()).text
  expect(await service.stop()).toBe(0)
}, 2 * START_PROCESS_MS)
afterAll(async () => {
  await service?.close()
  await decide?.close()
  await collector?.close()
})

async function gateways(): Promise<void> {
  for (const { path, headers, body } of CONTRACTS) {
    await post(path, body, { ...headers, authorization: `Bearer ${KEY}`, 'x-api-key': KEY })
    for (const fault of ['garbage', { status: 401 }, 'hang'] as const) {
      decide.setFault(fault)
      await post(path, body, { 'x-precis-timeout-ms': '700' })
    }
    decide.setFault(undefined)
    const text = JSON.stringify(body)
    await post(path, text.slice(0, -3))
    await post(path, `{"${plant('message')}" ${plant('message')}`)
    await post(path, { ...body, messages: plant('message'), text: 5, request: plant('message') })
    await post(path, { ...body, messages: [{ role: plant('role'), content: plant('message') }] })
    await post(`${path}?timeout_ms=${plant('query')}`, body)
    await post(path, body, { 'x-precis-target': plant('header') })
    await post(path, body, { authorization: `Bearer ${plant('stranger')}`, 'x-api-key': '' })
    await post(path, `${text}${' '.repeat(1_000_000)}`)
  }
  await service.send(`/v1/retrieve/${plant('path')}`, { headers: { authorization: plant('key') } })
}

async function threads(): Promise<void> {
  const large = { messages: said(200), targetTokens: 4_000 }
  const text = JSON.stringify(large)
  expect(text.length).toBeGreaterThan(WORKER_MIN_BYTES)
  for (const path of ['/compact', '/check']) {
    await post(path, large)
    await post(path, { messages: large.messages })
    await post(path, text.slice(0, -9))
    await post(path, `${text}${plant('message')}`)
    await post(path, { ...large, [MEMBER]: plant('message') })
    await post(path, { ...large, messages: [...large.messages, { role: plant('role') }] })
    await post(path, { ...large, format: plant('format'), pins: [plant('pin')] })
  }
}

async function recordings(): Promise<void> {
  const body = { messages: said(60), targetTokens: 2_000 }
  const answer = await post('/compact', { ...body, record: true })
  const { recording } = JSON.parse(answer.body)
  await post('/compact', { ...body, replay: recording })
  await post('/compact', { ...body, replay: plant('recording') })
  await post('/compact', { ...body, replay: { ...recording, [MEMBER]: 1 } })
  const calls = [{ site: plant('site'), answers: { [plant('id')]: plant('answer') } }]
  await post('/compact', { ...body, replay: { ...recording, decide: { calls } } })
}

describe('what gateways send, threads work on and recordings hold', () => {
  it('was said: it worked, failed and reached the model', () => {
    expect(statuses.get(200)).toBeGreaterThanOrEqual(28)
    for (const status of [400, 401, 413, 422]) {
      expect(statuses.get(status), String(status)).toBeGreaterThanOrEqual(1)
    }
    expect(JSON.stringify(decide.requests)).toContain(plant('message'))
  })

  it('is in no log line at any level', () => {
    const lines = service.logLines()
    expect(lines.filter(({ msg }) => msg === 'request completed').length).toBeGreaterThan(90)
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' })
    expectNothingPlanted(service.logText())
  })

  it('is in no metric', () => {
    expect(metrics).toContain('precis_gateway_requests_total')
    expectNothingPlanted(metrics)
  })

  it('is in no trace, of the service or of its threads', () => {
    const names = new Set(collector.spans().map(({ name }) => name))
    expect([...names]).toEqual(
      expect.arrayContaining(['POST /v1/compress', 'decide systemone', 'stage relevance']),
    )
    expectNothingPlanted(collector.text())
  })

  it('is in no refusal, whatever its shape', () => {
    expect(refused.length).toBeGreaterThan(40)
    // A pointer leads to the place in what was posted, by the names that it has there.
    for (const answer of refused) {
      expectNothingPlanted(answer.replaceAll(/"pointer":"[^"]*"/g, '').replaceAll(MEMBER, ''))
    }
  })
})
