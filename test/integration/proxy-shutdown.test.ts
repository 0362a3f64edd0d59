import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callRaw, eventually, openRaw, readWhole } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'

const PATH = '/v1/chat/completions'
const BODY = '{"model":"gpt-4o","messages":[{"role":"user","content":"Hi."}]}'

let upstream: RawUpstream
let service: ServiceProcess
/** Ends the answer to the first request. */
let finish = () => {}
beforeEach(async () => {
  upstream = await startRawUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (upstream.requests.length > 1) response.end('at once')
    else {
      response.write('first ')
      finish = () => response.end('last')
    }
  })
  service = await startServiceProcess({
    environment: { PRECIS_UPSTREAM_OPENAI_URL: upstream.origin },
  })
}, START_PROCESS_MS)
afterEach(async () => {
  await service.close()
  await upstream.close()
})

it('finishes the streams that have begun when it is told to stop, and takes no more', async () => {
  const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
  const whole = readWhole(response)
  const code = service.stop()
  await eventually(async () => {
    const refused = await callRaw(`${service.url}${PATH}`, { body: BODY }).catch(() => undefined)
    return refused?.status === 503
  })
  finish()
  const answer = await whole
  expect([answer.bytes.toString(), answer.isWhole]).toEqual(['first last', true])
  expect(await code).toBe(0)
})

it('leaves a broken connection, and no half truth, when it is killed', async () => {
  const response = await openRaw(`${service.url}${PATH}`, { body: BODY })
  const whole = readWhole(response)
  await once(response, 'data')
  const started = service.logLines().find(({ pid }) => typeof pid === 'number')
  process.kill(Number(started?.pid), 'SIGKILL')
  const answer = await whole
  expect([answer.bytes.toString(), answer.isWhole]).toEqual(['first ', false])
  // The upstream is let go of at once, and its work can end.
  await upstream.requests[0]?.socketClosed
  expect(await upstream.requests[0]?.answered).toBe(false)
  await expect(callRaw(`${service.url}${PATH}`, { body: BODY })).rejects.toThrow(/ECONN/)
})
