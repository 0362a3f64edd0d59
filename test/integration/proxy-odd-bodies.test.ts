import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LlmServer, startLlmServer } from '../helpers/llm-servers/start-llm-server.ts'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'

let upstream: LlmServer
let service: RunningService
beforeAll(async () => {
  upstream = await startLlmServer()
  service = await startProxy(upstream.origin)
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})

const HEADERS = { authorization: 'Bearer a-key' }

describe('a body that no provider takes', () => {
  it.each([7, null, true, [], {}, ['gpt-4o']].map((model) => ({ model })))(
    'is refused by its provider, and not by a fault of ours, where its model is $model',
    async ({ model }) => {
      const messages = [{ role: 'user', content: 'A word of many. '.repeat(2_000) }]
      const body = JSON.stringify({ model, messages })
      const path = '/v1/chat/completions'
      const direct = await callRaw(`${upstream.origin}${path}`, { headers: HEADERS, body })
      const proxied = await callRaw(`${service.url}${path}`, { headers: HEADERS, body })
      expect(direct.status).toBe(400)
      expect(proxied.status).toBe(400)
      expect(proxied.headers['x-precis-reason']).toBe('unknown-model')
      expect(proxied.bytes).toEqual(direct.bytes)
    },
  )
})
