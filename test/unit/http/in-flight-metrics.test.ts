import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../../helpers/start-service.ts'

/** The machine may be busy with other tests. */
const POLL = { timeout: 10_000 }

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Announces a body of so many bytes, and sends the first. */
function holdPlace(service: RunningService, bytes: number): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /compact HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{`,
  )
  closing.push(() => {
    socket.destroy()
  })
  return socket
}

describe('the metrics of requests in progress', () => {
  it('show places and bytes as they are taken and left, beside their limits', async () => {
    const service = await startService({
      PRECIS_MAX_CONCURRENT_REQUESTS: '7',
      PRECIS_MAX_CONCURRENT_BYTES: '50000',
    })
    closing.push(service.close)
    const shown = async () => {
      const { sum } = await service.metrics()
      return {
        requests: sum('precis_http_requests_in_flight'),
        bytes: sum('precis_http_request_bytes_in_flight'),
      }
    }
    expect(await shown()).toEqual({ requests: 0, bytes: 0 })
    const { sum } = await service.metrics()
    expect(sum('precis_http_requests_in_flight_limit')).toBe(7)
    expect(sum('precis_http_request_bytes_in_flight_limit')).toBe(50_000)

    const first = holdPlace(service, 30_000)
    holdPlace(service, 12_000)
    await expect.poll(shown, POLL).toEqual({ requests: 2, bytes: 42_000 })
    first.destroy()
    await expect.poll(shown, POLL).toEqual({ requests: 1, bytes: 12_000 })
  })

  it('begin with every problem code at 0, so that the first of a kind is an increase', async () => {
    const service = await startService()
    closing.push(service.close)
    const { text } = await service.metrics()
    expect(text).toMatch(/^precis_http_problems_total\{code="internal"\} 0$/m)
    expect(text).toMatch(/^precis_http_problems_total\{code="overloaded"\} 0$/m)
  })
})
