import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerRequest, type LlmAnswer } from './answer-request.ts'
import type { LlmFault } from './llm-fault.ts'
import { DEFAULT_RULES, type LlmServerRules } from './llm-rules.ts'
import { type RecordedLlmRequest, recordRequest } from './recorded-request.ts'
import { routeOf } from './route.ts'
import { acceptedEncoding, sendAnswer } from './send-answer.ts'
import { createStoredResponses } from './stored-responses.ts'
import { createStoredThreads } from './stored-threads.ts'

export interface LlmServer {
  /** Without a path: `/v1/...` and `/v1beta/...` stand behind it. */
  readonly origin: string
  /** In order of arrival, each as soon as its body is here. */
  readonly requests: readonly RecordedLlmRequest[]
  /** From now on; undefined answers well again. */
  readonly setFault: (fault: LlmFault | undefined) => void
  /** For the next requests, one fault each, before the standing one. */
  readonly faultNext: (...faults: readonly (LlmFault | undefined)[]) => void
  readonly setRules: (rules: Partial<LlmServerRules>) => void
  /** Forgets requests and faults, and goes back to the rules that it was started with. */
  readonly reset: () => void
  readonly openSockets: () => number
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** Requests that broke off before the end of their body. */
  readonly halfRequests: () => number
  readonly close: () => Promise<void>
}

/**
 * A provider on a free local port: OpenAI chat completions and Responses, Anthropic Messages and
 * Gemini, each with its own refusals. It validates conversations by test/helpers/wire-rules, has a
 * context window, and gives the same answer to the same bytes.
 */
export async function startLlmServer(overrides: Partial<LlmServerRules> = {}): Promise<LlmServer> {
  const startRules: LlmServerRules = { ...DEFAULT_RULES, ...overrides }
  let rules = startRules
  const requests: RecordedLlmRequest[] = []
  const sockets = new Map<Socket, number>()
  const next: (LlmFault | undefined)[] = []
  const stored = {
    'openai-responses': createStoredResponses(),
    'anthropic-messages': createStoredThreads(),
  }
  let standing: LlmFault | undefined
  let connections = 0
  let halfRequests = 0

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const route = incoming.method === 'POST' ? routeOf(url) : undefined
    const record = await recordRequest(incoming, response, {
      api: route?.api,
      connection: sockets.get(incoming.socket) ?? 0,
    }).catch(() => undefined)
    if (record === undefined) {
      halfRequests += 1
      return
    }
    requests.push(record)
    const fault = next.length > 0 ? next.shift() : standing
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'reset') {
      incoming.socket.resetAndDestroy()
      return
    }
    const seed = createHash('sha256').update(record.bytes).digest('hex').slice(0, 8)
    const answer: LlmAnswer = answerRequest({ url, route, record, seed, fault, rules, stored })
    const isFaulty = fault?.kind === 'status' || fault?.kind === 'raw'
    const encoding = rules.compress ? acceptedEncoding(record.headers) : undefined
    await sendAnswer(answer, isFaulty ? undefined : fault, rules.pace, response, record, encoding)
  }

  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    connections += 1
    sockets.set(socket, connections)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setFault: (fault) => {
      standing = fault
    },
    faultNext: (...faults) => {
      next.push(...faults)
    },
    setRules: (changes) => {
      rules = { ...rules, ...changes }
    },
    reset: () => {
      requests.length = 0
      next.length = 0
      standing = undefined
      rules = startRules
    },
    openSockets: () => sockets.size,
    connections: () => connections,
    halfRequests: () => halfRequests,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.keys()) socket.destroy()
      await closed
    },
  }
}
