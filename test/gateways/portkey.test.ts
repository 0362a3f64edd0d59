/**
 * The real Portkey gateway before an upstream that behaves like its provider, with Precis as the
 * webhook of a guardrail. The clients are the official ones.
 */

import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { anthropicClient } from '../helpers/llm-clients/anthropic-client.ts'
import type { LlmClient } from '../helpers/llm-clients/llm-client.ts'
import { openaiChatClient } from '../helpers/llm-clients/openai-chat-client.ts'
import { messageOf, OVERFLOWS } from '../helpers/llm-clients/outcome.ts'
import { partOfModule } from '../helpers/llm-clients/start-proxied.ts'
import { type LlmServer, startLlmServer } from '../helpers/llm-servers/start-llm-server.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { startProcess } from '../helpers/service-process.ts'
import { startService } from '../helpers/start-service.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'
import { TIMED } from '../helpers/timed.ts'
import { type Portkey, type PortkeyWebhook, startPortkey } from './start-portkey.ts'

const WINDOW = 8_000
const TURNS = 30
const LOOP = { task: 'Read all parts of the module.', maxTurns: 40, resultOf: partOfModule }

const WINDOWS = JSON.stringify({
  [openaiChatClient.model]: { contextWindow: WINDOW, maxOutputTokens: 500 },
  [anthropicClient.model]: { contextWindow: WINDOW, maxOutputTokens: 500 },
})

let portkey: Portkey
let upstream: LlmServer
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  portkey = await startPortkey()
  upstream = await startLlmServer({ contextWindow: WINDOW, toolTurns: TURNS })
}, START_PROCESS_MS)

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  upstream.reset()
})

afterAll(async () => {
  await portkey.close()
  await upstream.close()
})

function headersOf(client: LlmClient, guardrail?: PortkeyWebhook) {
  const provider = client.api === 'anthropic-messages' ? 'anthropic' : 'openai'
  const route = { provider, upstream: `${upstream.origin}/v1` } as const
  return portkey.headers({ ...route, ...(guardrail !== undefined && { guardrail }) })
}

function connect(client: LlmClient, guardrail?: PortkeyWebhook) {
  return client.connect({ origin: portkey.origin, headers: headersOf(client, guardrail) })
}

/** A chat above the window, of whose messages a decide model is asked. */
async function askAboveWindow(guardrail: PortkeyWebhook) {
  const { messages } = sampleConversation('openai-chat', { pairs: 60 }).request
  const startedAt = performance.now()
  // A connection of its own: the gateway closes idle ones after five seconds.
  const { statusCode, body } = await request(`${portkey.origin}/v1/chat/completions`, {
    method: 'POST',
    reset: true,
    headers: { 'content-type': 'application/json', ...headersOf(openaiChatClient, guardrail) },
    body: JSON.stringify({ model: openaiChatClient.model, messages }),
  })
  const text = await body.text()
  return { status: statusCode, text, milliseconds: performance.now() - startedAt }
}

async function startPrecis(environment: Readonly<Record<string, string>> = {}) {
  const service = await startService({ PRECIS_MODEL_WINDOWS: WINDOWS, ...environment })
  closers.push(service.close)
  return { service, webhookURL: `${service.url}/webhooks/portkey` }
}

describe.each([openaiChatClient, anthropicClient])('$name', (client) => {
  it.each(['loop', 'loopStreamed'] as const)(
    'outgrows the window in a %s of tools without Precis, and not with it',
    async (way) => {
      const failure: unknown = await connect(client)
        [way](LOOP)
        .catch((error: unknown) => error)
      expect(messageOf(failure)).toMatch(OVERFLOWS[client.api])
      expect(upstream.requests.at(-1)?.status).toBe(400)
      expect(upstream.requests.length).toBeLessThan(TURNS)

      upstream.reset()
      const { webhookURL } = await startPrecis()
      const { text } = await connect(client, { webhookURL })[way](LOOP)
      expect(text).toContain('settled')
      const { requests } = upstream
      expect(requests.map(({ status }) => status)).toEqual(Array(TURNS + 1).fill(200))
      expect(Math.max(...requests.map(({ tokens = 0 }) => tokens))).toBeLessThanOrEqual(WINDOW)
      for (const { bytes } of requests) expect(String(bytes)).toContain(LOOP.task)
    },
  )

  it('is served as before while Precis is stopped, and refused as before', async () => {
    const { service, webhookURL } = await startPrecis()
    await service.close()
    closers.length = 0
    const { everything } = await connect(client).ask('Hello?')
    const guarded = connect(client, { webhookURL })
    expect(withoutHooks((await guarded.ask('Hello?')).everything)).toEqual(withoutHooks(everything))
    const [first, second] = upstream.requests
    expect(String(second?.bytes)).toBe(String(first?.bytes))

    const failure: unknown = await guarded.loop(LOOP).catch((error: unknown) => error)
    expect(messageOf(failure)).toMatch(OVERFLOWS[client.api])
  })
})

describe('Portkey', () => {
  const client = openaiChatClient

  it('sends a request under budget to the provider as it would without Precis', async () => {
    const { service, webhookURL } = await startPrecis()
    await connect(client).ask('Hello?')
    await connect(client, { webhookURL }).ask('Hello?')
    const [first, second] = upstream.requests
    expect(String(second?.bytes)).toBe(String(first?.bytes))
    expect((await service.metrics()).sum('precis_gateway_requests_total')).toBe(1)
  })

  it('lets a request go on as it came once it has waited for as long as it was told', async () => {
    const { service, webhookURL } = await startHangingPrecis()
    const answer = await askAboveWindow({ webhookURL, timeout: 700 })
    expect(answer.text).toMatch(OVERFLOWS['openai-chat'])
    expect(answer.status).toBe(400)
    expect(answer.milliseconds).toBeGreaterThan(650)
    expect(upstream.requests).toHaveLength(1)
    const inFlight = async () => (await service.metrics()).sum('precis_http_requests_in_flight')
    await eventually(async () => (await inFlight()) === 0)
  })

  it(
    'has an answer within its own three seconds from a Precis whose decide model hangs',
    TIMED,
    async () => {
      const { webhookURL } = await startHangingPrecis()
      const answer = await askAboveWindow({ webhookURL })
      // Later, Portkey would have sent it as it came, and the upstream refused it.
      expect(answer.status).toBe(200)
      const [sent] = upstream.requests
      expect(sent?.tokens).toBeLessThanOrEqual(WINDOW)
      expect(answer.text).toContain('"transformed":true')
    },
  )

  it(
    'lets a request go on as it came when Precis is killed in the middle of it',
    async () => {
      const { decide, environment } = await startHangingDecide()
      // A machine that is busy with tests keeps the event loop of a process that starts busy as well.
      const precis = startProcess(SERVER, { ...environment, PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0' })
      closers.push(async () => {
        precis.child.kill('SIGKILL')
        await precis.exit
      })
      const webhookURL = `${await precis.url()}/webhooks/portkey`
      const asked = askAboveWindow({ webhookURL, timeout: 40_000 })
      await eventually(() => decide.requests.length > 0, 30_000)
      precis.child.kill('SIGKILL')
      const answer = await asked
      expect(answer.text).toMatch(OVERFLOWS['openai-chat'])
      expect(upstream.requests).toHaveLength(1)
    },
    START_PROCESS_MS,
  )

  it('puts nothing of a conversation into its record of the guardrail', async () => {
    const { webhookURL } = await startPrecis()
    const { text } = await askAboveWindow({ webhookURL })
    const { hook_results: record } = JSON.parse(text) as { hook_results: unknown }
    expect(JSON.stringify(record)).toContain('"transformed":true')
    expect(JSON.stringify(record)).not.toContain('marmot')
  })
})

const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))

async function startHangingDecide() {
  const decide = await WIRES.systemone.start(() => 0.5)
  decide.setFault('hang')
  closers.push(decide.close)
  const environment = {
    PRECIS_MODEL_WINDOWS: WINDOWS,
    ...decideVariables('systemone', decide.url, 60_000),
  }
  return { decide, environment }
}

async function startHangingPrecis() {
  const { environment } = await startHangingDecide()
  return startPrecis(environment)
}

/** Portkey adds what its hooks did to the answers of chat completions. */
function withoutHooks(answer: unknown): unknown {
  const { hook_results: _, ...rest } = answer as Record<string, unknown>
  return rest
}
