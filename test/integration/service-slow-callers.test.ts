/** Callers who hold connections with requests that never end. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../helpers/start-service.ts'

/** A request has five seconds more than its deadline to arrive, and is looked for every five. */
const WITHIN_MS = 20_000
const DRIP_MS = 200

const KEY = 'a-key-of-a-caller'
const FIELDS = 'content-type: application/json\r\ncontent-length: 100000\r\n\r\n{'

let service: RunningService
beforeAll(async () => {
  service = await startService({ PRECIS_REQUEST_DEADLINE_MS: '500', PRECIS_API_KEYS: KEY })
})
afterAll(() => service.close())

/** Milliseconds until the service has ended a connection on which this comes, and then a drop at a time. */
function timeUntilEnded(beginning: string, drop: string): Promise<number> {
  const { hostname, port } = new URL(service.url)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(beginning))
    const drip = setInterval(() => socket.write(drop), DRIP_MS)
    const late = setTimeout(() => socket.destroy(), WITHIN_MS)
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      clearTimeout(late)
      resolve(performance.now() - startedAt)
    })
  })
}

describe('a connection is ended soon after the deadline', () => {
  it.concurrent.each([
    ['the head trickles', 'POST /compact HTTP/1.1\r\nhost: a\r\n', 'x: y\r\n'],
    [
      'the body trickles',
      `POST /compact HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${KEY}\r\n${FIELDS}`,
      ' ',
    ],
    [
      'the body trickles on after it was refused',
      `POST /compact HTTP/1.1\r\nhost: a\r\n${FIELDS}`,
      ' ',
    ],
    ['the body of a probe trickles', `GET /healthz HTTP/1.1\r\nhost: a\r\n${FIELDS}`, ' '],
    ['nothing is said', '', ''],
  ])(
    'where %s',
    async (_, beginning, drop) => {
      expect(await timeUntilEnded(beginning, drop)).toBeLessThan(WITHIN_MS - 1_000)
    },
    2 * WITHIN_MS,
  )
})
