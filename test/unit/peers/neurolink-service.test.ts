/** What NeuroLink's end-to-end tests assert of sizes and of calls to models. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import type { DecideServer } from '../../helpers/decide-servers/decide-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../../helpers/decide-servers/system-one-server.ts'
import { type SummarizerServer, startSummarizerServer } from '../../helpers/summarizer-server.ts'
import { chat, conversation, prose, user } from '../seeds/support.ts'

let decide: DecideServer
let summarizer: SummarizerServer
let test: TestApp
beforeAll(async () => {
  decide = await createSystemOneServer({ answer: () => 0.9 })
  summarizer = await startSummarizerServer({ contextTokens: 1_000_000 })
  test = await buildTestApp({
    environment: {
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: decide.url,
      PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      PRECIS_SUMMARIZER_DIALECT: 'openai',
      PRECIS_SUMMARIZER_URL: summarizer.openaiUrl,
      PRECIS_SUMMARIZER_API_KEY: summarizer.rules.apiKey,
      PRECIS_SUMMARIZER_MODEL: summarizer.rules.model,
      PRECIS_SUMMARIZER_MAX_INPUT_TOKENS: '400000',
    },
  })
})
afterAll(async () => {
  await test.app.close()
  await decide.close()
  await summarizer.close()
})

let callsBefore = 0
const calls = () => decide.requests.length + summarizer.requests.length
beforeEach(() => {
  callsBefore = calls()
})

async function compact(payload: object) {
  const response = await test.app.inject({ method: 'POST', url: '/compact', payload })
  expect(response.statusCode).toBe(200)
  return { body: response.json(), bytes: Buffer.byteLength(response.body) }
}

describe('NeuroLink asserts of the whole', () => {
  it('that a prompt too large for the window is told before any model is called', async () => {
    const messages = conversation(...chat(6), user(prose(20_000, 'huge')))
    const { body } = await compact({ messages, model: 'gpt-4' })
    expect(body).toMatchObject({ fits: false, outcome: 'unchanged' })
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'budget-unreachable' }))
    expect(body.budget.floor.pins['current-request']).toBeGreaterThan(20_000)
    expect(body.messages).toEqual(messages)
    expect(calls() - callsBefore).toBe(0)
  })

  it('that 145,000 tokens which fit are let through without a call', async () => {
    const messages = conversation(...chat(300, 320))
    const { body } = await compact({ messages, model: 'gpt-4.1' })
    expect(body.tokensBefore).toBeGreaterThan(130_000)
    expect(body).toMatchObject({ fits: true, outcome: 'unchanged' })
    expect(calls() - callsBefore).toBe(0)
  })

  it('that 200,000 tokens come back within the window, after one summary', async () => {
    const messages = conversation(...chat(400, 340))
    summarizer.script({ kind: 'summary', text: '1. Primary Request and Intent: the ledger.' })
    const before = summarizer.requests.length
    const { body, bytes } = await compact({ messages, model: 'gpt-4o' })
    expect(body.tokensBefore).toBeGreaterThan(190_000)
    expect(body).toMatchObject({ fits: true, outcome: 'compacted' })
    expect(body.tokensAfter).toBeLessThanOrEqual(66_560)
    expect(summarizer.requests.length - before).toBe(1)
    expect(bytes).toBeLessThan(1_500_000)
  })

  it('that two million tokens are not sent on as they are', async () => {
    const messages = conversation(...chat(1_000, 1_340))
    const { body, bytes } = await compact({
      messages,
      model: 'gpt-4o',
      options: { summarize: { enabled: false } },
    })
    expect(body.tokensBefore).toBeGreaterThan(1_900_000)
    expect(body).toMatchObject({ fits: true, outcome: 'compacted' })
    expect(bytes).toBeLessThan(1_500_000)
  })

  it('and where nothing can be done it says so in the answer and in the metrics', async () => {
    const messages = conversation(user(prose(20_000, 'huge')))
    await compact({ messages, model: 'gpt-4' })
    const { body } = await test.app.inject({ url: '/metrics' })
    const count = /^precis_budget_unreachable_total (\d+)$/m.exec(body)?.[1]
    expect(Number(count)).toBeGreaterThan(0)
  })
})
