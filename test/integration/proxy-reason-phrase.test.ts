import { afterEach, beforeEach, expect, it } from 'vitest'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'

let upstream: RawUpstream
let service: RunningService
beforeEach(async () => {
  upstream = await startRawUpstream()
  service = await startProxy(upstream.origin)
})
afterEach(async () => {
  await service.close()
  await upstream.close()
})

/** What reaches a caller of an answer that is an upstream's words, byte by byte. */
async function passedOn(reason: string) {
  upstream.setHandler(({ socket }) => {
    socket.end(Buffer.from(`HTTP/1.1 418 ${reason}\r\ncontent-length: 5\r\n\r\nwhole`, 'latin1'))
  })
  const { status, bytes, isWhole } = await callRaw(`${service.url}/v1/models`, { body: '{}' })
  return { status, said: bytes.toString(), isWhole }
}

it.each(['I am a teapot', 'caf\u00e9', '', '\u0000\u0001', 'a\u0007bell'])(
  'passes the answer on, whatever its reason phrase is (%j)',
  async (reason) => {
    expect(await passedOn(reason)).toEqual({ status: 418, said: 'whole', isWhole: true })
  },
)
