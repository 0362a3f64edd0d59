import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { SeededRandom } from '../../test/helpers/seeded-random.ts'

export interface Envelope {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

type MutateEnvelope = (random: SeededRandom, envelope: Envelope) => Envelope

const withHeader =
  (name: string, values: readonly string[]): MutateEnvelope =>
  (random, envelope) => ({
    ...envelope,
    headers: { ...envelope.headers, [name]: random.pick(values) },
  })

/** Twice the limit of a body, in a few kilobytes. */
const LARGE_WHEN_UNPACKED = gzipSync(Buffer.alloc(8 * 1024 * 1024))

const MUTATIONS: Readonly<Record<string, MutateEnvelope>> = {
  'content-type': withHeader('content-type', [
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;;;=',
    'application/json, application/json',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/jsonx',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    ';',
    '*/*',
    'application/json; boundary="',
    '',
  ]),
  'no content-type': (_random, envelope) => {
    const { 'content-type': _type, ...headers } = envelope.headers
    return { ...envelope, headers }
  },
  'content-encoding that is not true': withHeader('content-encoding', [
    'gzip',
    'br',
    'deflate',
    'zstd',
    'identity',
    'gzip, gzip',
    'nonsense',
    '',
  ]),
  'body that is packed': (random, envelope) => {
    const [encoding, pack] = random.pick([
      ['gzip', gzipSync],
      ['GZIP', (body: Buffer) => gzipSync(body).subarray(0, -3)],
      ['br', brotliCompressSync],
      ['gzip', () => LARGE_WHEN_UNPACKED],
    ] as const)
    const body = pack(envelope.body)
    return { ...envelope, body, headers: { ...envelope.headers, 'content-encoding': encoding } }
  },
  'x-precis-target': withHeader('x-precis-target', [
    '0',
    '-1',
    '1e3',
    'NaN',
    '9999999999',
    '1, 2',
    '',
  ]),
  'x-precis-profile': withHeader('x-precis-profile', ['fast', '__proto__', 'agent, rubyn', ' ']),
  'x-precis-bypass': withHeader('x-precis-bypass', ['yes', 'TRUE ', '2', '__proto__']),
  'x-precis-timeout-ms': withHeader('x-precis-timeout-ms', ['0', '-5', '1e9', '99999999', 'soon']),
  'x-request-id': withHeader('x-request-id', [
    '\u00ff\u00fe',
    'a b',
    '<script>',
    'x'.repeat(4_000),
    '',
  ]),
  traceparent: withHeader('traceparent', [
    '00-0-0-0',
    '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff',
    'x'.repeat(3_000),
  ]),
  authorization: withHeader('authorization', ['Bearer', 'Basic !!!', 'x'.repeat(4_000), '']),
  'accept-encoding': withHeader('accept-encoding', ['*;q=9', 'gzip;q=0, *', 'identity;q=0']),
  forwarded: withHeader('x-forwarded-for', ['::1, evil', '999.1.1.1', 'x'.repeat(2_000)]),
  'many headers': (random, envelope) => {
    const many = Array.from({ length: 20 + random.below(400) }, (_, index) => [`x-h${index}`, 'v'])
    return { ...envelope, headers: { ...Object.fromEntries(many), ...envelope.headers } }
  },
  query: (random, envelope) => {
    const query = random.pick([
      '__proto__=1&constructor=2',
      'timeout_ms=-1',
      'timeout_ms=1&timeout_ms=2',
      `a=${'%41'.repeat(2_000)}`,
      '%',
      'key=&key=&%E0%A4%A',
      '&&&===',
    ])
    return {
      ...envelope,
      path: `${envelope.path}${envelope.path.includes('?') ? '&' : '?'}${query}`,
    }
  },
}

export const HEADER_MUTATIONS = Object.keys(MUTATIONS)

export function mutateHeaders(random: SeededRandom, name: string, envelope: Envelope): Envelope {
  return MUTATIONS[name]?.(random, envelope) ?? envelope
}
