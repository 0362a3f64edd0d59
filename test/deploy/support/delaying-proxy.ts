import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

export interface DelayingProxy {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Passes POST requests on to this address, each after a while. */
export async function startDelayingProxy(target: string, delayMs: number): Promise<DelayingProxy> {
  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming)
      await sleep(delayMs)
      const { authorization = '', 'content-type': contentType = '' } = incoming.headers
      const headers = { authorization, 'content-type': contentType }
      const answer = await request(target, { method: 'POST', headers, body })
      response.writeHead(answer.statusCode, { 'content-type': 'application/json' })
      response.end(await answer.body.text())
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
