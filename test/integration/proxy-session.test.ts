/**
 * A whole session through the proxy, as its client posts it: the whole history on every turn. What is
 * forwarded must begin as what the turn before forwarded, byte for byte, but for a few steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProviderCache, type Message } from '../../eval/prompt-cache/provider-cache.ts'
import { PROXIED_FORMATS, type ProxiedFormat, REQUESTS } from '../helpers/proxy/conversations.ts'
import { callRaw } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import { startProxy } from '../helpers/proxy/start-proxy.ts'
import type { RunningService } from '../helpers/start-service.ts'

const TURNS = 44
const WINDOW = { contextWindow: 8_000 }
const WINDOWS = JSON.stringify({
  'gpt-4o': WINDOW,
  'claude-sonnet-4-5': WINDOW,
  'gemini-2.5-pro': WINDOW,
})

let upstream: RawUpstream
/** Two replicas, which answer in turn: nothing of a session is kept where the next turn comes. */
let replicas: readonly RunningService[]

beforeAll(async () => {
  upstream = await startRawUpstream()
  const environment = { PRECIS_MODEL_WINDOWS: WINDOWS }
  replicas = [
    await startProxy(upstream.origin, environment),
    await startProxy(upstream.origin, environment),
  ]
})
afterAll(async () => {
  for (const replica of replicas) await replica.close()
  await upstream.close()
})

interface Turn {
  readonly posted: string
  readonly forwarded: string
  readonly tokens: number
}

async function play(format: ProxiedFormat): Promise<readonly Turn[]> {
  const { path, body, list } = REQUESTS[format]
  const whole = body(TURNS - 1) as unknown as Record<string, unknown[]>
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const posted = JSON.stringify({ ...whole, [list]: whole[list]?.slice(0, turn * 2 + 1) })
    const { headers } = await callRaw(`${replicas[turn % 2]?.url}${path}`, { body: posted })
    expect(['unchanged', 'compacted']).toContain(headers['x-precis-outcome'])
    turns.push({
      posted,
      forwarded: String(upstream.requests.at(-1)?.bytes),
      tokens: Number(headers['x-precis-tokens-after']),
    })
  }
  return turns
}

/** All that a provider reads before the end of the last message: its list is the last of the members. */
const beforeEnd = (body: string): string => body.slice(0, -']}'.length)

describe.each(PROXIED_FORMATS)('a session of 44 turns in %s', (format) => {
  let turns: readonly Turn[]
  beforeAll(async () => {
    turns = await play(format)
  })

  it('begins on each turn as on the one before, but where it is made smaller', () => {
    let steps = 0
    turns.forEach(({ forwarded, tokens }, index) => {
      const before = turns[index - 1]
      if (before === undefined) return
      const goesOn = forwarded.startsWith(beforeEnd(before.forwarded))
      expect([index, goesOn]).toEqual([index, tokens >= before.tokens])
      if (!goesOn) steps += 1
    })
    expect(steps).toBeGreaterThan(1)
    expect(steps).toBeLessThan(TURNS / 4)
  })

  it('costs less at a provider that caches than it would in a window without end', () => {
    const { list } = REQUESTS[format]
    const costOf = (bodies: readonly string[]): number => {
      const cache = createProviderCache(0)
      return bodies.reduce((sum, body) => sum + cache.send(messagesOf(body, list)).cost, 0)
    }
    const forwarded = costOf(turns.map((turn) => turn.forwarded))
    expect(forwarded).toBeLessThan(costOf(turns.map(({ posted }) => posted)))
  })
})

/** Four bytes to a token, on both sides: only the two costs are compared. */
function messagesOf(body: string, list: string): Message[] {
  const messages = (JSON.parse(body) as Record<string, unknown[]>)[list] ?? []
  return messages.map((message) => {
    const text = JSON.stringify(message)
    return { text, tokens: Math.ceil(text.length / 4) }
  })
}
