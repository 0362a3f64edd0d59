/**
 * Conversations that the provider holds, and of which a request has only what is new: results whose
 * calls Precis has never seen.
 */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicClient } from '../helpers/llm-clients/anthropic-client.ts'
import { READ_TOOL } from '../helpers/llm-clients/llm-client.ts'
import { openaiSdk } from '../helpers/llm-clients/openai-chat-client.ts'
import { openaiResponsesClient } from '../helpers/llm-clients/openai-responses-client.ts'
import { outcome } from '../helpers/llm-clients/outcome.ts'
import { type Proxied, partOfModule, startProxied } from '../helpers/llm-clients/start-proxied.ts'

const WINDOW = 8_000
const TOOL = { type: 'function', strict: true, ...READ_TOOL } as const

let running: Proxied

afterEach(() => running.close())

describe('a response that goes on from one that the provider has stored', () => {
  it('gets the results of all its calls, though they are above the budget of Precis', async () => {
    // Together some 7,000 tokens: the upstream takes them, and Precis would aim at less.
    const here = await turnWithResults(12, 'direct')
    await running.close()
    const there = await turnWithResults(12, 'proxied')
    expect(there).toEqual(here)
    expect(here).toHaveProperty('got')
  })

  it('is refused for its length as without Precis where the provider cannot take it', async () => {
    const here = await turnWithResults(20, 'direct')
    await running.close()
    const there = await turnWithResults(20, 'proxied')
    expect(here).toHaveProperty('code', 'context_length_exceeded')
    expect(there).toEqual(here)
  })
})

describe('a thread of Anthropic, which its SDK makes for a tool runner by itself', () => {
  const run = (baseURL: string, maxTurns: number) => {
    const { name, description, parameters } = READ_TOOL
    const tool = betaTool({
      name,
      description,
      inputSchema: parameters,
      run: ({ step }) => [1, 2].map((half) => partOfModule(2 * step + half)).join('\n'),
    })
    const runner = new Anthropic({
      apiKey: 'test-key',
      baseURL,
      maxRetries: 0,
    }).beta.messages.toolRunner({
      model: anthropicClient.model,
      max_tokens: 200,
      max_iterations: maxTurns,
      messages: [{ role: 'user', content: 'Read.' }],
      tools: [tool],
    })
    return outcome(runner.runUntilDone().then((everything) => ({ everything })))
  }

  it.each([1, 3])(
    'runs to its end as without Precis with %d calls at once',
    async (callsPerTurn) => {
      const options = { window: WINDOW, turns: 2, callsPerTurn }
      running = await startProxied(anthropicClient, { ...options, believedWindow: WINDOW / 4 })
      const { upstream, service } = running
      const here = await run(upstream.origin, 10)
      expect(here).toHaveProperty('got.stop_reason', 'end_turn')
      expect(await run(service.url, 10)).toEqual(here)
      const sent = upstream.requests.map(({ bytes }) => String(bytes))
      expect(sent.slice(sent.length / 2)).toEqual(sent.slice(0, sent.length / 2))
      expect(sent[1]).toContain('"type":"continue"')
    },
  )

  it('is refused for its length as without Precis, which cannot see what is too long', async () => {
    running = await startProxied(anthropicClient, { window: WINDOW, turns: 30 })
    const here = await run(running.upstream.origin, 40)
    expect(here).toHaveProperty('status', 400)
    expect(await run(running.service.url, 40)).toEqual(here)
  })
})

/** The second turn: the results of so many calls, and not the calls themselves. */
async function turnWithResults(callsPerTurn: number, way: 'direct' | 'proxied') {
  running = await startProxied(openaiResponsesClient, { window: WINDOW, turns: 1, callsPerTurn })
  const { upstream, service } = running
  const { responses } = openaiSdk({ origin: way === 'direct' ? upstream.origin : service.url })
  const first = await responses.create({ model: 'gpt-4o', input: 'Read.', tools: [TOOL] })
  const calls = first.output.filter((item) => item.type === 'function_call')
  expect(calls).toHaveLength(callsPerTurn)
  const second = responses.create({
    model: 'gpt-4o',
    previous_response_id: first.id,
    tools: [TOOL],
    input: calls.map(({ call_id }, index) => ({
      type: 'function_call_output',
      call_id,
      output: partOfModule(index),
    })),
  })
  return outcome(second.then((everything) => ({ everything })))
}
