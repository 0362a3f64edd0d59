/** A model that keeps failing is left alone for a while, and asked again when the while is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { DECIDE_WIRES, decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting, expectPositional } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'

/** The pause of the outbound client's breaker, and time for a late timer. */
const PAUSE_MS = 10_000 + 500
/** Failed attempts in a row that open it; each call makes two. */
const ATTEMPTS = 5
/** Two pauses, on a machine that is busy with other things. */
const TEST_MS = 60_000

const closing: (() => Promise<void>)[] = []
// The tests run side by side, since most of their time is waiting: none may close another's servers.
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const { request } = sampleConversation('openai-chat')

function compact(service: RunningService): Promise<CompactAnswer> {
  return service.ask<CompactAnswer>('/compact', { ...request, targetTokens: 2_000 })
}

test.concurrent.each(DECIDE_WIRES)(
  'a %s server that fails again and again is left alone, then tried once, then trusted',
  async (wire) => {
    const server = await WIRES[wire].start(() => 0.01)
    const service = await startService(decideVariables(wire, server.url, 5_000))
    closing.push(server.close, service.close)
    const stateOfBreaker = async () =>
      (await service.metrics()).sum('precis_decide_breaker_state', { wire })
    expect(await stateOfBreaker()).toBe(0)

    server.setFault({ status: 500 })
    const reasons: unknown[] = []
    for (let call = 0; call < 6; call += 1) {
      const answer = await compact(service)
      expectFitting(request, answer)
      expectPositional(answer)
      reasons.push(answer.relevance?.failOpen)
    }
    const open = ['breaker-open', 'breaker-open', 'breaker-open']
    expect(reasons).toEqual(['server', 'server', 'server', ...open])
    expect(server.requests).toHaveLength(ATTEMPTS)
    expect(await stateOfBreaker()).toBe(2)
    expect((await service.metrics()).by('precis_fail_open_total', 'reason')).toEqual({
      server: 3,
      'breaker-open': 3,
    })

    await sleep(PAUSE_MS)
    // The probe fails: one request, no retry, and the pause begins again.
    expect((await compact(service)).relevance).toMatchObject({ failOpen: 'server', requests: 1 })
    expect((await compact(service)).relevance).toMatchObject({ failOpen: 'breaker-open' })
    expect(server.requests).toHaveLength(ATTEMPTS + 1)

    server.setFault(undefined)
    await sleep(PAUSE_MS)
    for (const _ of ['the probe', 'and after it']) {
      const { relevance } = await compact(service)
      expect(relevance).not.toHaveProperty('failOpen')
      expect(relevance?.dropped).toBeGreaterThan(0)
    }
    expect(await stateOfBreaker()).toBe(0)
  },
  TEST_MS,
)

test.concurrent('a server that refuses the key is asked once, not once a request', async () => {
  const server = await WIRES.systemone.start(() => 0.01)
  const service = await startService({
    ...decideVariables('systemone', server.url, 5_000),
    PRECIS_DECIDE_API_KEY: 'a-key-of-another-account',
  })
  closing.push(server.close, service.close)
  expect((await compact(service)).relevance).toMatchObject({ failOpen: 'authentication' })
  expect((await compact(service)).relevance).toMatchObject({ failOpen: 'breaker-open' })
  expect((await compact(service)).relevance).toMatchObject({ failOpen: 'breaker-open' })
  expect(server.requests).toHaveLength(1)
  expect(service.logText()).not.toContain('a-key-of-another-account')
})

test.concurrent(
  'a summariser that fails again and again is left alone, and comes back',
  async () => {
    const server = await startSummarizerServer()
    const service = await startService({
      ...summarizerVariables('openai', server, 5_000),
      PRECIS_DECIDE_WIRE: 'none',
    })
    closing.push(server.close, service.close)
    const failing = { kind: 'error', status: 529, retryAfter: '0' } as const
    server.script(...Array.from({ length: ATTEMPTS }, () => failing), {
      kind: 'summary',
      text: GOOD_SUMMARY,
    })
    const stateOfBreaker = async () => (await service.metrics()).sum('precis_summary_breaker_state')
    expect(await stateOfBreaker()).toBe(0)
    const reasons: unknown[] = []
    for (let call = 0; call < 5; call += 1) {
      const answer = await compact(service)
      expectFitting(request, answer)
      reasons.push(answer.summary?.reason)
    }
    const open = ['breaker-open', 'breaker-open']
    expect(reasons).toEqual(['overloaded', 'overloaded', 'overloaded', ...open])
    expect(server.requests).toHaveLength(ATTEMPTS)
    expect(await stateOfBreaker()).toBe(2)
    await sleep(PAUSE_MS)
    expect((await compact(service)).summary).toMatchObject({ accepted: true })
    expect(await stateOfBreaker()).toBe(0)
    expect(server.requests).toHaveLength(ATTEMPTS + 1)
  },
  TEST_MS,
)
