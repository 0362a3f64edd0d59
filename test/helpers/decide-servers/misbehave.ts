import type { ServerResponse } from 'node:http'
import {
  type AnswerFault,
  type Fault,
  type HeaderMap,
  isAnswerFault,
  stringifyWithNaN,
} from './fault.ts'
import type { DecideProtocol, RecordedRequest, Reply } from './protocol.ts'

const DRIP_EVERY_MS = 20
const HUGE_BYTES = 8 * 1024 * 1024

/** Answers a request with a fault. */
export function misbehave(
  fault: Fault,
  request: RecordedRequest,
  response: ServerResponse,
  protocol: DecideProtocol,
): void {
  if (typeof fault === 'object' && 'rewrite' in fault) {
    const good = protocol.reply(request)
    sendJson(response, { ...good, json: fault.rewrite(good.json) })
    return
  }
  if (typeof fault === 'object') {
    const reply = protocol.errorReply(fault.status, request)
    sendJson(response, { ...reply, headers: { ...reply.headers, ...fault.headers } })
    return
  }
  if (fault === 'max-tokens') {
    sendJson(response, protocol.maxTokensReply())
    return
  }
  const good = protocol.reply(request)
  if (isAnswerFault(fault)) sendJson(response, { ...good, json: protocol.spoil(good.json, fault) })
  else TRANSPORT_FAULTS[fault](response, JSON.stringify(good.json))
}

/** What becomes of a response whose body would have been `text`. */
const TRANSPORT_FAULTS: Readonly<
  Record<
    Exclude<Extract<Fault, string>, AnswerFault | 'max-tokens'>,
    (response: ServerResponse, text: string) => void
  >
> = {
  hang: () => {},
  drip,
  reset: (response) => {
    response.socket?.resetAndDestroy()
  },
  'cut-off': (response, text) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  },
  garbage: (response) => sendText(response, 200, Buffer.from([0x80, 0xff, 0x00, 0x7b, 0xc3, 0x28])),
  'web-page': (response) =>
    sendText(response, 200, '<!doctype html><p>Please sign in</p>', {
      'content-type': 'text/html',
    }),
  empty: (response) => sendText(response, 200, ''),
  'truncated-json': (response, text) => sendText(response, 200, text.slice(0, text.length / 2)),
  huge: (response) => sendText(response, 200, `{"padding":"${'x'.repeat(HUGE_BYTES)}"}`),
  'no-answers': (response) =>
    sendText(response, 200, '{"model":"m","usage":{"input_tokens":1,"output_tokens":1}}'),
}

export function sendJson(response: ServerResponse, { status, json, headers }: Reply): void {
  sendText(response, status, stringifyWithNaN(json), headers)
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: HeaderMap = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

function drip(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  let sent = 0
  const timer = setInterval(() => {
    if (sent < text.length) response.write(text.charAt(sent))
    else response.end()
    sent += 1
  }, DRIP_EVERY_MS)
  response.on('close', () => clearInterval(timer))
}
