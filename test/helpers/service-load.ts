import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { expectProblem } from './expect-problem.ts'
import { eventually, openRaw, readWhole } from './proxy/raw-client.ts'
import type { RawUpstream } from './proxy/raw-upstream.ts'
import type { RunningService } from './start-service.ts'

/** What a caller got: an answer with its status, or a connection that broke. */
export interface Outcome {
  readonly caller: string
  /** 0 where the connection broke before there was one. */
  readonly status: number
  readonly isWhole: boolean
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface ServiceLoad {
  /** Requests that the service had begun when this was given, by who waits for them. */
  readonly begun: Promise<readonly Outcome[]>
  /** The rest of what was sent by halves: the body of the upload, the answers of the upstream. */
  readonly goOn: () => void
  /** What callers got who ask again and again on connections that they keep. */
  readonly stopAsking: () => Promise<readonly Outcome[]>
}

export const isAnswered = ({ status, isWhole }: Outcome): boolean => status === 200 && isWhole

/** Whether it came when the service only finished what it had begun; fails where it is told so wrongly. */
export function isRefused({ status, headers, body }: Outcome): boolean {
  if (status !== 503) return false
  expectProblem({ statusCode: status, headers: headers as never, body }, 'shutting-down')
  expect(headers).toMatchObject({ 'retry-after': '5', connection: 'close' })
  return true
}

const STREAM_PATH = '/v1/chat/completions'
const STREAM_BODY = '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi."}]}'
export const SMALL_BODY = { messages: [{ role: 'user', content: 'Hello.' }], targetTokens: 1_000 }

const WAITING = 3
const STREAMS = 2
const LARGE = 4
const ASKING = 4
const FIRST_PIECE = 'data: the first piece\n\n'
const LAST_PIECE = 'data: the last piece\n\n'
export const WHOLE_STREAM = FIRST_PIECE + LAST_PIECE

const turns = (count: number, words: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: Array.from({ length: words }, (_, at) => `w${(index * 131 + at * 17) % 997}`).join(
      ' ',
    ),
  }))

/**
 * Callers of every kind at once: some wait for a decide model, some read streams of an upstream, one has
 * sent half of its body, some wait for threads, and some ask again and again. The decide model of the
 * service has to hang, and its upstream for OpenAI to be the one given.
 */
export async function startLoad(
  service: RunningService,
  upstream: RawUpstream,
): Promise<ServiceLoad> {
  const streams: (() => void)[] = []
  upstream.setHandler((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST_PIECE)
    streams.push(() => response.end(LAST_PIECE))
  })
  const post = (caller: string, body: unknown) => outcomeOf(caller, service, body)
  const judged = { messages: turns(60, 40), targetTokens: 1_500 }
  const large = JSON.stringify({
    messages: turns(4_000, 60),
    targetTokens: 20_000,
    options: { relevance: { enabled: false } },
  })
  const begun = [
    ...Array.from({ length: WAITING }, () => post('waits for a model', judged)),
    ...Array.from({ length: STREAMS }, () => readStream(service)),
  ]
  await eventually(() => streams.length === STREAMS, 20_000)
  const upload = await startUpload(service)
  begun.push(upload.outcome)
  await inFlight(service, WAITING + STREAMS + 1)
  begun.push(...Array.from({ length: LARGE }, () => post('waits for a thread', large)))
  await inFlight(service, WAITING + STREAMS + 1 + LARGE)

  let isAsking = true
  const asked: Outcome[] = []
  const asking = Array.from({ length: ASKING }, async () => {
    while (isAsking) {
      const outcome = await post('asks again and again', SMALL_BODY)
      asked.push(outcome)
      if (outcome.status === 0) return
    }
  })
  await eventually(() => asked.length >= ASKING, 20_000)
  return {
    begun: Promise.all(begun),
    goOn: () => {
      for (const end of streams) end()
      upload.goOn()
    },
    stopAsking: async () => {
      isAsking = false
      await Promise.all(asking)
      return asked
    },
  }
}

async function inFlight(service: RunningService, requests: number): Promise<void> {
  await eventually(async () => {
    const metrics = await service.metrics()
    return metrics.sum('precis_http_requests_in_flight') >= requests
  }, 20_000)
}

export async function outcomeOf(
  caller: string,
  service: RunningService,
  body: unknown,
): Promise<Outcome> {
  try {
    const answer = await service.send('/compact', { method: 'POST', body })
    const { statusCode: status, headers } = answer
    return { caller, status, isWhole: true, headers, body: answer.body }
  } catch {
    return { caller, status: 0, isWhole: false, headers: {}, body: '' }
  }
}

async function readStream(service: RunningService): Promise<Outcome> {
  const caller = 'reads a stream'
  try {
    const response = await openRaw(`${service.url}${STREAM_PATH}`, { body: STREAM_BODY })
    const { status, headers, bytes, isWhole } = await readWhole(response)
    return { caller, status, isWhole, headers: { ...headers }, body: bytes.toString() }
  } catch {
    return { caller, status: 0, isWhole: false, headers: {}, body: '' }
  }
}

/** A body of which one half is sent, once the service has said that it reads. */
async function startUpload(service: RunningService) {
  const body = JSON.stringify(SMALL_BODY)
  const socket = openSocket(service.url)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const closed = once(socket, 'close')
  socket.write(
    `POST /compact HTTP/1.1\r\nHost: precis\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n${body.slice(0, 20)}`,
  )
  await eventually(() => text.includes('100 Continue'), 20_000)
  return {
    outcome: closed.then((): Outcome => {
      const answer = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      const [head = '', said = ''] = answer.split('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      const isWhole = Buffer.byteLength(said) === length
      return { caller: 'has sent half of its body', status, isWhole, headers: {}, body: said }
    }),
    goOn: () => socket.write(body.slice(20)),
  }
}

/** A connection on which nothing is said, and whose end is no error. */
export function openSocket(url: string): Socket {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return socket
}
