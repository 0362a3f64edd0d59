import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { anthropicServer } from './summarizer-server-anthropic.ts'
import { openaiServer } from './summarizer-server-openai.ts'

/** What a model may say, in whatever words the dialect has for it. */
export type ModelAnswer =
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'parts'; readonly texts: readonly string[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'length-stopped'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly text?: string }
  | { readonly kind: 'refusal'; readonly explanation?: string; readonly fragment?: string }
  | { readonly kind: 'filtered'; readonly fragment: string }
  | { readonly kind: 'reasoning-only'; readonly text: string }

/** What a server may do instead of letting its model speak. */
export type ServerFault =
  | { readonly kind: 'error'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Sends the headers, then one byte each `everyMs`. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Cuts the connection; with `afterBytes`, in the middle of the body. */
  | { readonly kind: 'reset'; readonly afterBytes?: number }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'truncated-json' }

export type ScriptedAnswer = ModelAnswer | ServerFault

export interface ServerRules {
  readonly apiKey: string
  readonly model: string
  /** Window of the model, at four characters a token. */
  readonly contextTokens: number
  /** OpenAI names an overlong prompt in `error.code`; many that speak its API do not. */
  readonly structuredErrors: boolean
}

export interface RecordedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed body; undefined when it is not a JSON object. */
  readonly body: Record<string, unknown> | undefined
  /** Settles when the exchange is over: true when the client went away before the answer ended. */
  readonly aborted: Promise<boolean>
}

export interface Refusal {
  readonly status: number
  readonly body: unknown
}

export interface DialectServer {
  readonly path: string
  readonly check: (request: RecordedRequest, rules: ServerRules) => Refusal | undefined
  readonly error: (status: number) => Refusal
  readonly answer: (answer: ModelAnswer, model: string) => unknown
}

export interface SummarizerServer {
  readonly openaiUrl: string
  readonly anthropicUrl: string
  readonly rules: ServerRules
  readonly requests: readonly RecordedRequest[]
  /** Replaces the script: one answer a request, the last one for ever. Validation comes first. */
  readonly script: (...answers: readonly ScriptedAnswer[]) => void
  readonly close: () => Promise<void>
}

const DIALECTS: readonly DialectServer[] = [openaiServer, anthropicServer]

const DEFAULT_ANSWER: ScriptedAnswer = { kind: 'summary', text: 'The user asked; it was done.' }

/** Starts a summariser on a free local port that speaks both dialects and can misbehave on demand. */
export const startSummarizerServer = async (
  overrides: Partial<ServerRules> = {},
): Promise<SummarizerServer> => {
  const rules: ServerRules = {
    apiKey: 'test-key',
    model: 'test-model',
    contextTokens: 100_000,
    structuredErrors: true,
    ...overrides,
  }
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  let pending: ScriptedAnswer[] = []
  let last: ScriptedAnswer = DEFAULT_ANSWER

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const aborted = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableFinished))
    })
    const recorded: RecordedRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: parseObject(await readAll(request)),
      aborted,
    }
    requests.push(recorded)
    const dialect = DIALECTS.find(({ path }) => path === recorded.path)
    if (dialect === undefined || request.method !== 'POST') {
      send(response, 404, { error: { message: 'Not found', type: 'invalid_request_error' } })
      return
    }
    const refusal = dialect.check(recorded, rules)
    if (refusal !== undefined) {
      send(response, refusal.status, refusal.body)
      return
    }
    last = pending.shift() ?? last
    await perform(last, dialect, rules.model, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    openaiUrl: `${origin}${openaiServer.path}`,
    anthropicUrl: `${origin}${anthropicServer.path}`,
    rules,
    requests,
    script: (...answers) => {
      pending = [...answers]
      last = DEFAULT_ANSWER
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const perform = async (
  answer: ScriptedAnswer,
  dialect: DialectServer,
  model: string,
  response: ServerResponse,
): Promise<void> => {
  const summary = (text: string) => dialect.answer({ kind: 'summary', text }, model)
  switch (answer.kind) {
    case 'error': {
      if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter)
      const { status, body } = dialect.error(answer.status)
      send(response, status, body)
      return
    }
    case 'raw':
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
      return
    case 'hang':
      return
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json' })
      for (const byte of Buffer.from(JSON.stringify(summary('drop by drop')))) {
        if (response.destroyed) return
        response.write(Buffer.of(byte))
        await delay(answer.everyMs)
      }
      response.end()
      return
    case 'reset':
      if (answer.afterBytes === undefined) {
        response.destroy()
        return
      }
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 })
      response.write(JSON.stringify(summary('cut')).slice(0, answer.afterBytes), () =>
        response.destroy(),
      )
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
      return
    case 'truncated-json': {
      const whole = JSON.stringify(summary('cut short'))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(whole.slice(0, whole.length / 2))
      return
    }
    default:
      send(response, 200, dialect.answer(answer, model))
  }
}

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
