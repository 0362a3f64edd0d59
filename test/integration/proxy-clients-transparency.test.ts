/** What a caller can see of Precis when nothing has to be made smaller: its headers, and nothing else. */

import Anthropic from '@anthropic-ai/sdk'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { anthropicClient } from '../helpers/llm-clients/anthropic-client.ts'
import { LLM_CLIENTS } from '../helpers/llm-clients/index.ts'
import type { LlmClient } from '../helpers/llm-clients/llm-client.ts'
import { openaiChatClient, openaiSdk } from '../helpers/llm-clients/openai-chat-client.ts'
import { type Proxied, startProxied } from '../helpers/llm-clients/start-proxied.ts'
import type { RecordedLlmRequest } from '../helpers/llm-servers/recorded-request.ts'

let running: Proxied

beforeAll(async () => {
  running = await startProxied(openaiChatClient)
})
afterEach(() => running.upstream.reset())
afterAll(() => running.close())

describe.each(LLM_CLIENTS)('the request of $name', (client: LlmClient) => {
  it.each(['ask', 'stream'] as const)(
    'is answered byte for byte as the upstream answers it, with nothing but headers of Precis added (%s)',
    async (way) => {
      const { upstream, service } = running
      await client.connect({ origin: upstream.origin })[way]('Hello?')
      const [recorded] = upstream.requests
      if (recorded === undefined) throw new Error('the client sent nothing')
      const here = await replay(recorded, upstream.origin)
      const there = await replay(recorded, service.url)
      expect(there.status).toBe(here.status)
      expect(there.bytes.equals(here.bytes)).toBe(true)
      const added = there.headers.filter((line) => !here.headers.includes(line))
      expect(here.headers.filter((line) => !there.headers.includes(line))).toEqual([])
      expect(added.filter((line) => !line.startsWith('x-precis-'))).toEqual([])
      expect(added).toContain('x-precis-outcome: unchanged')
    },
  )
})

it('lets a client count tokens at the provider', async () => {
  const { upstream, service } = running
  const question = {
    model: anthropicClient.model,
    messages: [{ role: 'user', content: 'Hello?' }],
  } as const
  const counts = [upstream.origin, service.url].map((baseURL) =>
    new Anthropic({ apiKey: 'test-key', baseURL }).messages.countTokens({
      ...question,
      messages: [...question.messages],
    }),
  )
  const [here, there] = await Promise.all(counts)
  expect(here?.input_tokens).toBeGreaterThan(0)
  expect(there).toEqual(here)
})

it('lets a client go on with a response that the provider has stored', async () => {
  const { upstream, service } = running
  const answers = await Promise.all(
    [upstream.origin, service.url].map(async (origin) => {
      const { responses } = openaiSdk({ origin })
      const first = await responses.create({ model: 'gpt-4o', input: 'Hello?' })
      return responses.create({
        model: 'gpt-4o',
        input: 'And now?',
        previous_response_id: first.id,
      })
    }),
  )
  expect(answers[1]).toEqual(answers[0])
  expect(upstream.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

/** The very request, to another address. */
async function replay({ target, rawHeaders, bytes }: RecordedLlmRequest, origin: string) {
  const headers = pairs(rawHeaders).filter(([name]) => !OF_THE_HOP.has(name.toLowerCase()))
  const answer = await request(`${origin}${target}`, {
    method: 'POST',
    headers: headers.flat(),
    body: bytes,
    responseHeaders: 'raw',
  })
  const raw = answer.headers as unknown as readonly string[]
  const lines = pairs(raw)
    .filter(([name]) => !OF_THE_HOP.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  return {
    status: answer.statusCode,
    headers: lines,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  }
}

/** Of one connection, or of the moment. */
const OF_THE_HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'transfer-encoding',
])

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[String(name), String(raw[index + 1])] as [string, string]] : [],
  )
}
