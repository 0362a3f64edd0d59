import { BODY, CLOSE, type DrawScript, get, HOST, head, post, sent } from './script.ts'

const many = (count: number, value = 'v'): string[] =>
  Array.from({ length: count }, (_, index) => `X-Field-${index}: ${value}`)

const FIELDS: readonly (() => readonly string[])[] = [
  () => [`X-Long: ${'a'.repeat(200_000)}`],
  () => [`${'X'.repeat(200_000)}: a`],
  () => [`Cookie: ${'a=b; '.repeat(40_000)}`],
  () => many(10_000),
  () => many(1_500),
  () => many(2_500),
  () => many(100, 'a'.repeat(900)),
  () => many(100, 'a'.repeat(2_000)),
  () => ['no colon here'],
  () => [': no name'],
  () => ['Na me: value'],
  () => ['N\u00e4me: value'],
  () => ['X-Null: a\0b'],
  () => ['X-Return: a\rb'],
  () => ['X-Feed: a\nInjected: b'],
  () => ['X-Fold: a\r\n b', 'X-Fold: a\r\n\tb'],
  () => ['X-Bytes: \u00ff\u00fe\u0080'],
  () => ['X-Control: \u0001\u001b\u007f'],
  () => ['__proto__: x', 'constructor: y', 'hasOwnProperty: z'],
  () => ['X-Request-Id: a\u00ff', 'X-Request-Id: b', 'Traceparent: \u00ff'],
  () => ['Authorization: Bearer a', 'Authorization: Bearer b'],
  () => ['Content-Type: application/json', 'Content-Type: text/plain'],
  () => ['X-Forwarded-For: \u00ff, ::', 'Forwarded: for="[::"'],
  () => ['Range: bytes=0-1,5-2', 'If-None-Match: ***', 'If-Modified-Since: never'],
  () => ['Accept: */*;q=9', 'Accept-Charset: utf-7', 'TE: trailers, deflate;q=2'],
  () => ['Connection: close, x-request-id, content-length', 'Keep-Alive: timeout=-1'],
  () => ['Content-Encoding: gzip', 'Content-Encoding: br'],
]

/** Fields of a size, number or shape that nobody sends by accident. */
export const badFields: DrawScript = (random) => {
  const fields = random.pick(FIELDS)()
  const path = random.pick(['/compact', '/v1/chat/completions', '/request'])
  return sent(
    random.chance(0.5)
      ? get(random.pick(['/healthz', '/v1/models']), ...fields, 'Connection: close')
      : post(path, BODY, ...fields),
  )
}

/** A caller who waits for leave to send its body, for ever or not. */
export const expecting: DrawScript = (random) => {
  const value = random.pick([
    '100-continue',
    '100-Continue',
    '200-ok',
    '',
    '100-continue, x',
    'x'.repeat(3_000),
  ])
  const path = random.pick(['/compact', '/check', '/nothing', '/v1/messages'])
  const text = post(path, BODY, `Expect: ${value}`)
  if (random.chance(0.6)) return sent(text)
  return sent(text.slice(0, -BODY.length))
}

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
] as const

/** There is nothing to upgrade to: the request is answered as if it had not asked. */
export const upgrading: DrawScript = (random) =>
  sent(
    random.pick([
      get('/healthz', ...WEBSOCKET),
      get('/v1/realtime', ...WEBSOCKET),
      get(
        '/healthz',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ),
      get('/healthz', 'Connection: Upgrade', 'Upgrade: TLS/1.0'),
      get('/healthz', 'Upgrade: nothing'),
      `${head('POST /compact HTTP/1.1', 'Content-Type: application/json', 'Connection: Upgrade', 'Upgrade: websocket', `Content-Length: ${Buffer.byteLength(BODY)}`)}\r\n${BODY}`,
      `OPTIONS * HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n${CLOSE}\r\n`,
    ]),
    { answers: [0, 1] },
  )
