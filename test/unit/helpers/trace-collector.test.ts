import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { startTraceCollector } from '../../helpers/trace-collector.ts'

it('the collector of traces outlives a service that is killed in the middle of what it says', async () => {
  const collector = await startTraceCollector()
  const { hostname, port, pathname } = new URL(collector.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{"resource`,
  )
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
  socket.resetAndDestroy()

  const body = JSON.stringify({ resourceSpans: [] })
  const response = await request(collector.url, { method: 'POST', body })
  await response.body.dump()
  expect(response.statusCode).toBe(200)
  expect(collector.text()).toBe(body)
  await collector.close()
})
