/**
 * What the proxy adds to a request that is under its budget, over the same upstream called directly.
 *
 *     npx tsx bench/proxy-latency.ts [--short] [--size=200]
 *
 * Milliseconds on the client's clock, one request at a time over kept connections; the two ways take
 * turns with the same body, in one run. The upstream answers at once, which no model does: what is
 * added is all that there is to see. `new`: texts that the service has never counted. `session`: a
 * conversation that was sent before, with one more message, as the next turn of a session is.
 */
import { Agent, request as httpRequest } from 'node:http'
import { buildService, builtModule } from './lib/built-service.ts'
import { createRandom } from './lib/random.ts'
import { isShort, isWanted, printEnvironment, printTable } from './lib/report.ts'
import { startServer } from './lib/server-process.ts'
import { quantile } from './lib/statistics.ts'
import { prose } from './lib/texts.ts'
import { type OpenaiMessage, toolConversation } from './lib/tool-conversation.ts'

/** Conversations of lib/tool-conversation.ts have more, so that none is too short. */
const LEAST_BYTES_PER_MESSAGE = 300
const WARM_UPS = 300

interface Size {
  readonly kilobytes: number
  readonly requests: number
}

const sizes: readonly Size[] = isShort
  ? [
      { kilobytes: 20, requests: 60 },
      { kilobytes: 200, requests: 20 },
    ]
  : [
      { kilobytes: 20, requests: 1_500 },
      { kilobytes: 200, requests: 500 },
      { kilobytes: 2_000, requests: 150 },
    ]

interface Timing {
  readonly firstByte: number
  readonly lastByte: number
}

type Kind = 'new' | 'session'

buildService()
printEnvironment()
const upstream = await startServer(new URL('servers/model.ts', import.meta.url).href)
const service = await startServer(builtModule('server.ts'), {
  PRECIS_HOST: '127.0.0.1',
  PRECIS_PORT: '0',
  PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
  PRECIS_UPSTREAM_OPENAI_URL: upstream.url,
})
const agents = { direct: keptAgent(), proxied: keptAgent() }
let seed = 0
const whole = []
const streamed = []
for (const { kilobytes, requests } of sizes) {
  if (!isWanted(kilobytes)) continue
  for (const kind of ['new', 'session'] as const) {
    whole.push(await measure(kilobytes, requests, kind, 'whole'))
    streamed.push(await measure(kilobytes, requests, kind, 'stream'))
  }
}
for (const agent of Object.values(agents)) agent.destroy()
for (const server of [service, upstream]) await server.stop()
const columns = [
  'body kB',
  'texts',
  'requests',
  ...['p50', 'p99'].flatMap((name) => [
    `${name} direct`,
    `${name} proxied`,
    `${name} added`,
    `${name} ratio`,
  ]),
]
printTable(
  'Whole answers: milliseconds to the last byte (aim at 20 kB: +1 ms or 1.1x)',
  columns,
  whole,
)
printTable('Streamed answers: milliseconds to the first byte of the body', columns, streamed)

async function measure(kilobytes: number, requests: number, kind: Kind, mode: 'whole' | 'stream') {
  const times = { direct: [] as number[], proxied: [] as number[] }
  const path = `/v1/chat/completions${mode === 'stream' ? '?stream=1' : ''}`
  let bytes = 0
  const messages = conversation(kilobytes)
  for (let turn = -WARM_UPS; turn < requests; turn += 1) {
    const body = bodyOf(kind === 'new' ? conversation(kilobytes) : messages, turn)
    // Who goes first would meet a colder cache of the processor.
    const order =
      turn % 2 === 0 ? (['direct', 'proxied'] as const) : (['proxied', 'direct'] as const)
    for (const way of order) {
      const url = `${way === 'direct' ? upstream.url : service.url}${path}`
      const { firstByte, lastByte } = await post(url, body, agents[way])
      if (turn >= 0) times[way].push(mode === 'stream' ? firstByte : lastByte)
    }
    bytes = body.length
  }
  return [
    bytes / 1_000,
    kind,
    `${requests}`,
    ...[0.5, 0.99].flatMap((share) => {
      const direct = quantile(times.direct, share)
      const proxied = quantile(times.proxied, share)
      return [direct, proxied, proxied - direct, proxied / direct]
    }),
  ]
}

/** So much of a session as makes the size, and one long message of the user's for what is missing. */
function conversation(kilobytes: number): readonly OpenaiMessage[] {
  seed += 1
  const wanted = kilobytes * 1_000
  const messages: OpenaiMessage[] = []
  let bytes = 0
  for (const message of toolConversation(Math.ceil(wanted / LEAST_BYTES_PER_MESSAGE), seed)) {
    const size = JSON.stringify(message).length + 1
    if (bytes + size > wanted) break
    messages.push(message)
    bytes += size
  }
  // A call whose result did not fit.
  if (messages.at(-1)?.tool_calls !== undefined) messages.pop()
  const missing = Math.max(1, wanted - bytes)
  return [...messages, { role: 'user', content: prose(missing, createRandom(seed)) }]
}

/** Of a model whose window takes all sizes. */
function bodyOf(messages: readonly object[], turn: number): Buffer {
  const next = { role: 'user', content: `And what about number ${turn}?` }
  return Buffer.from(JSON.stringify({ model: 'gpt-4.1', messages: [...messages, next] }))
}

function keptAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

function post(url: string, body: Buffer, agent: Agent): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now()
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      authorization: 'Bearer key',
    }
    const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      let firstByte = 0
      response.on('data', () => {
        if (firstByte === 0) firstByte = performance.now() - sentAt
      })
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode, headers: answered } = response
        const outcome = answered['x-precis-outcome'] ?? 'unchanged'
        if (statusCode === 200 && outcome === 'unchanged') {
          resolve({ firstByte, lastByte: performance.now() - sentAt })
        } else reject(new Error(`${url} answered ${statusCode}, ${outcome}`))
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}
