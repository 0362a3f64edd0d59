import { awaited, BODY, type DrawScript, get, head, sent } from './script.ts'

/** What would be a second request if two readers disagreed about where the first one ends. */
const HIDDEN = get('/healthz')

const LENGTH = Buffer.byteLength(BODY)
const CHUNKED = `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
const TYPE = 'Content-Type: application/json'
const POST = 'POST /compact HTTP/1.1'

/** Fields that say two things of one body. Exactly one answer may come: a second one was smuggled. */
const TWO_LENGTHS: readonly (readonly [fields: readonly string[], body: string])[] = [
  [[`Content-Length: ${CHUNKED.length}`, 'Transfer-Encoding: chunked'], CHUNKED + HIDDEN],
  [['Transfer-Encoding: chunked', 'Content-Length: 4'], CHUNKED + HIDDEN],
  [['Content-Length: 0', 'Transfer-Encoding: chunked'], CHUNKED + HIDDEN],
  [['Transfer-Encoding: xchunked', `Content-Length: ${LENGTH}`], BODY + HIDDEN],
  [['Transfer-Encoding: chunked, identity', `Content-Length: ${LENGTH}`], BODY + HIDDEN],
  [['Transfer-Encoding : chunked', `Content-Length: ${LENGTH}`], BODY + HIDDEN],
  [['Transfer-Encoding:\u000bchunked', `Content-Length: ${LENGTH}`], BODY + HIDDEN],
  [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Content-Length: 4'], CHUNKED],
  [['X: a\rTransfer-Encoding: chunked', `Content-Length: ${LENGTH}`], BODY + HIDDEN],
  [[`Content-Length: ${LENGTH}`, 'Content-Length: 0'], BODY + HIDDEN],
  [[`Content-Length: ${LENGTH}`, `Content-Length: ${LENGTH + 1}`], BODY + HIDDEN],
  [[`Content-Length: ${LENGTH}, ${LENGTH}`], BODY + HIDDEN],
  [[`Content-Length: 0, ${LENGTH}`], BODY + HIDDEN],
  [[`Content-Length: +${LENGTH}`], BODY + HIDDEN],
  [[`Content-Length: -${LENGTH}`], BODY + HIDDEN],
  [[`Content-Length: 0x${LENGTH.toString(16)}`], BODY + HIDDEN],
  [[`Content-Length: ${LENGTH}e0`], BODY + HIDDEN],
  [['Content-Length: 100000000000000000000000'], BODY + HIDDEN],
  [['Content-Length:'], BODY + HIDDEN],
]

/** 400 and a closed connection, and nothing that was behind it is looked at. */
export const twoLengths: DrawScript = (random) => {
  const [fields, body] = random.pick(TWO_LENGTHS)
  return awaited(`${head(POST, TYPE, ...fields)}\r\n${body}`, { statuses: [400] })
}

const BAD_CHUNKS = [
  `zz\r\n${BODY}\r\n0\r\n\r\n`,
  `-1\r\n${BODY}\r\n0\r\n\r\n`,
  `fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`,
  `${LENGTH.toString(16)} \r\n${BODY}\r\n0\r\n\r\n`,
  `${LENGTH.toString(16)}\n${BODY}\n0\n\n`,
  `${LENGTH.toString(16)}\r\n${BODY}0\r\n\r\n`,
  `${(LENGTH + 2).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${(LENGTH - 2).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${LENGTH.toString(16)};${'x'.repeat(30_000)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${LENGTH.toString(16)};\r\n${BODY}\r\n0\r\n\r\n`,
  `;\r\n${BODY}\r\n0\r\n\r\n`,
  `0x${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${LENGTH.toString(16)}\r\n${BODY}\r\n`,
  `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n`,
  `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\nBad Trailer: x\r\n\r\n`,
  `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\nContent-Length: 5\r\n\r\n`,
  `${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n${'X: y\r\n'.repeat(5_000)}\r\n`,
  '0\r\n\r\n',
] as const

export const badChunks: DrawScript = (random) => {
  const path = random.pick(['/compact', '/v1/chat/completions', '/v1/compress'])
  const fields = [TYPE, 'Transfer-Encoding: chunked', 'Connection: close']
  return sent(`${head(`POST ${path} HTTP/1.1`, ...fields)}\r\n${random.pick(BAD_CHUNKS)}`)
}

/** Whole requests, one behind the other before the first is answered. */
export const pipelined: DrawScript = (random) => {
  const count = 2 + random.below(20)
  const one = (isLast: boolean) => {
    const last = isLast ? ['Connection: close'] : []
    if (random.chance(0.6)) return get(random.pick(['/healthz', '/readyz', '/status']), ...last)
    return `${head(POST, TYPE, `Content-Length: ${LENGTH}`, ...last)}\r\n${BODY}`
  }
  const requests = Array.from({ length: count }, (_, index) => one(index === count - 1))
  return awaited(requests.join(''), { answers: [count, count], statuses: [200, 503] })
}

/** Good ones, and then something that is none: the good ones have their answers. */
export const pipelinedGarbage: DrawScript = (random) => {
  const count = 1 + random.below(5)
  const garbage = random.pick([
    '\0\0\0\0',
    'GARBAGE\r\n\r\n',
    `${head('GET / HTTP/1.1', 'bad header')}\r\n`,
  ])
  return sent(get('/healthz').repeat(count) + garbage, {
    answers: [0, count + 1],
    statuses: [200, 400],
  })
}
