/**
 * Loops of tool calls that outgrow the window of the model, with official clients: the provider
 * refuses them without Precis, and takes them through it.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { LLM_CLIENTS } from '../helpers/llm-clients/index.ts'
import type { LlmClient } from '../helpers/llm-clients/llm-client.ts'
import { messageOf, OVERFLOWS } from '../helpers/llm-clients/outcome.ts'
import { type Proxied, partOfModule, startProxied } from '../helpers/llm-clients/start-proxied.ts'

/** Tokens of the upstream's window; the loop below reads more than twice as many. */
const WINDOW = 8_000
const TURNS = 30
const LOOP = { task: 'Read all parts of the module.', maxTurns: 40, resultOf: partOfModule }
const WAYS = ['loop', 'loopStreamed'] as const

let running: Proxied | undefined

afterEach(async () => {
  await running?.close()
  running = undefined
})

async function start(...args: Parameters<typeof startProxied>): Promise<Proxied> {
  running = await startProxied(...args)
  return running
}

describe.each(LLM_CLIENTS)('$name', (client: LlmClient) => {
  it.each(WAYS)(
    'is refused in the middle of its %s without Precis, and gets to its end with it',
    async (way) => {
      const { direct, proxied, upstream } = await start(client, { window: WINDOW, turns: TURNS })
      const failure: unknown = await direct[way](LOOP).catch((error: unknown) => error)
      expect(messageOf(failure)).toMatch(OVERFLOWS[client.api])
      expect(upstream.requests.length).toBeLessThan(TURNS)

      upstream.reset()
      const { text } = await proxied[way](LOOP)
      const { requests } = upstream
      expect(requests.map(({ status }) => status)).toEqual(Array(TURNS + 1).fill(200))
      expect(Math.max(...requests.map(({ tokens = 0 }) => tokens))).toBeLessThanOrEqual(WINDOW)
      for (const { bytes } of requests) expect(String(bytes)).toContain(LOOP.task)
      expect(text).toContain((await direct.ask('Done?')).text)
    },
  )

  it('gets to the end of a loop in which the model calls three tools at once', async () => {
    const turns = 10
    const options = { window: WINDOW, turns, callsPerTurn: 3 }
    const { direct, proxied, upstream } = await start(client, options)
    const failure: unknown = await direct.loop(LOOP).catch((error: unknown) => error)
    expect(messageOf(failure)).toMatch(OVERFLOWS[client.api])

    upstream.reset()
    await proxied.loop(LOOP)
    const statuses = upstream.requests.map(({ status }) => status)
    expect(statuses).toEqual(Array(turns + 1).fill(200))
  })

  it('is refused as without Precis when it asks to be left alone', async () => {
    const headers = { 'x-precis-bypass': 'true' }
    const { proxied, upstream } = await start(client, { window: WINDOW, turns: TURNS, headers })
    const failure: unknown = await proxied.loop(LOOP).catch((error: unknown) => error)
    expect(messageOf(failure)).toMatch(OVERFLOWS[client.api])
    const names = upstream.requests.flatMap(({ headers: sent }) => Object.keys(sent))
    expect(names.filter((name) => name.startsWith('x-precis-'))).toEqual([])
  })

  it.each(WAYS)(
    'gets to the end of its %s where Precis takes the window for larger than it is',
    async (way) => {
      const believedWindow = WINDOW * believedShare(client)
      const options = { window: WINDOW, turns: TURNS, believedWindow }
      const { direct, proxied, upstream } = await start(client, options)
      const { text } = await proxied[way](LOOP)
      expect(text).toContain((await direct.ask('Done?')).text)
      const refused = upstream.requests.filter(({ isOverflow }) => isOverflow)
      expect(refused.length).toBeGreaterThan(0)
      // One try again for each refusal, and one question that was asked directly.
      expect(upstream.requests).toHaveLength(TURNS + 1 + refused.length + 1)
    },
  )
})

/** The Responses API says neither what it counted nor what it would take: a guess goes less far. */
function believedShare({ api }: LlmClient): number {
  return api === 'openai-responses' ? 1.5 : 4
}
