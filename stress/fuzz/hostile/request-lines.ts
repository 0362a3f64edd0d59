import { type DrawScript, get, HOST, head, sent } from './script.ts'

const LINES = [
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET  /healthz HTTP/1.1\r\n\r\n',
  'get /healthz http/1.1\r\n\r\n',
  'GET /healthz HTTP/9.9\r\n\r\n',
  'GET /healthz HTTP/1.1.1\r\n\r\n',
  'GET /healthz HTTPS/1.1\r\n\r\n',
  'GET\t/healthz\tHTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.1 extra\r\n\r\n',
  '/healthz GET HTTP/1.1\r\n\r\n',
  '\0\0\0\0\r\n\r\n',
  '\r\n\r\n\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  'EHLO localhost\r\n',
  '*1\r\n$4\r\nPING\r\n',
  '{"messages":[]}',
  ' ',
] as const

/** The first bytes of a TLS handshake, of HTTP/2, and of a proxy's own protocol. */
const OTHER_PROTOCOLS = [
  Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03]),
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 'latin1'),
  Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET /healthz HTTP/1.1\r\n\r\n'),
  Buffer.from('\u0005\u0001\0', 'latin1'),
  Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
] as const

const METHODS = [
  ...['FOO', 'TRACE', 'PROPFIND', 'M-SEARCH', 'PURGE', 'QUERY', 'LINK', 'SOURCE', 'post', 'GETX'],
  ...['A'.repeat(5_000), 'G E T', '', '\u00ff'],
] as const

const PATHS = [
  '/%',
  '/%zz',
  '/%00',
  '/compact%00',
  '/%c0%ae%c0%ae/',
  '/%ff%fe',
  '/\0healthz',
  '/heal\0thz',
  '/..%2f..%2fetc',
  '/../../etc/passwd',
  '/v1/../compact',
  '/v1/%2e%2e/compact',
  '/v1beta/..\\x',
  '/v1/chat/completions/..',
  '/ui/%2e%2e%2f%2e%2e%2fpackage.json',
  '/ui/..%5c..%5cpackage.json',
  '/caf\u00e9',
  '/#fragment',
  '/;jsessionid=1',
  '/?%',
  '/healthz?%%%',
  '/healthz?a[]=1&a[b]=2&__proto__[x]=1',
  '/v1/x?key=%00',
  '/v1beta/models/%2F%2F:generateContent',
  '/v1/models/a b',
  'healthz',
  '?',
  '',
  `/${'a/'.repeat(7_000)}`,
  `/healthz?${'q=1&'.repeat(4_000)}`,
  `/${'%41'.repeat(60_000)}`,
] as const

const TARGETS = [
  'http://127.0.0.1/healthz',
  'http://somewhere.invalid/compact',
  'https://somewhere.invalid:99999/v1/models',
  'http://somewhere.invalid',
  'http://user:word@somewhere.invalid/v1/messages',
  'http:///healthz',
  'http://[::1/healthz',
  'ftp://127.0.0.1/x',
  'file:///etc/passwd',
  '//somewhere.invalid/healthz',
  'http://169.254.169.254/v1/models',
] as const

/** Lines that are none, or of another protocol. */
export const badLine: DrawScript = (random) => {
  if (random.chance(0.3)) return sent(random.pick(OTHER_PROTOCOLS))
  if (random.chance(0.8)) return sent(random.pick(LINES))
  const bytes = Buffer.from(Array.from({ length: 1 + random.below(400) }, () => random.below(256)))
  return sent(bytes, { answers: [0, 100] })
}

export const badMethod: DrawScript = (random) =>
  sent(
    `${head(`${random.pick(METHODS)} ${random.pick(['/compact', '/healthz', '/v1/x'])} HTTP/1.1`)}\r\n`,
  )

export const badPath: DrawScript = (random) => {
  const method = random.pick(['GET', 'POST', 'DELETE'])
  return sent(`${head(`${method} ${random.pick(PATHS)} HTTP/1.1`, 'Connection: close')}\r\n`)
}

/** A request names the server that it is meant for; it must not get there through this one. */
export const absoluteTarget: DrawScript = (random) =>
  sent(get(random.pick(TARGETS), 'Connection: close'))

/** Forms of the target that are for other servers. */
export const otherTarget: DrawScript = (random) =>
  sent(
    random.pick([
      `${head('OPTIONS * HTTP/1.1', 'Connection: close')}\r\n`,
      `${head('GET * HTTP/1.1', 'Connection: close')}\r\n`,
      `${head('CONNECT somewhere.invalid:443 HTTP/1.1')}\r\n`,
      `${head('CONNECT /compact HTTP/1.1')}\r\n`,
    ]),
  )

/** Versions before and hosts beside HTTP/1.1. */
export const oldOrHostless: DrawScript = (random) =>
  sent(
    random.pick([
      'GET /healthz\r\n',
      'GET /healthz HTTP/0.9\r\n\r\n',
      'GET /healthz HTTP/1.0\r\n\r\n',
      'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'POST /compact HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
      `GET /healthz HTTP/1.1\r\n${HOST}${HOST}Connection: close\r\n\r\n`,
      'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a b, c\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n',
    ]),
  )
