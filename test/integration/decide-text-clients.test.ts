/**
 * The official clients of the APIs that the text wires speak, on the servers that the wires are tested
 * with: what a client of the vendor's takes for an answer, our server writes.
 */
import { CohereClientV2 } from 'cohere-ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import {
  CHAT_LOGPROBS_KEY,
  CHAT_LOGPROBS_MODEL,
  createChatLogprobsServer,
} from '../helpers/decide-servers/chat-logprobs-server.ts'
import {
  createRerankServer,
  RERANK_KEY,
  RERANK_MODEL,
} from '../helpers/decide-servers/rerank-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('the official Cohere client', () => {
  async function setUp(token = RERANK_KEY) {
    const server = await createRerankServer({
      dialect: 'cohere',
      answer: (document) => (document.includes('Postgres') ? 0.9 : 0.05),
    })
    closing.push(server.close)
    return new CohereClientV2({ token, environment: server.origin })
  }
  const request = {
    model: RERANK_MODEL,
    query: 'Which database?',
    documents: ['The weather is fine.', 'We use Postgres.'],
  }

  test('gets the scores of its documents by their numbers', async () => {
    const client = await setUp()
    const { results } = await client.rerank(request)
    const scores = results.map(({ index, relevanceScore }) => [index, relevanceScore])
    expect(Object.fromEntries(scores)).toEqual({ 0: 0.05, 1: 0.9 })
  })

  test('knows the refusal of a key that is none', async () => {
    const client = await setUp('wrong')
    await expect(client.rerank(request, { maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 401,
    })
  })
})

describe('the official OpenAI client on a chat server', () => {
  async function setUp(apiKey = CHAT_LOGPROBS_KEY) {
    const server = await createChatLogprobsServer({ answer: () => 0.8 })
    closing.push(server.close)
    return new OpenAI({ apiKey, baseURL: `${server.origin}/v1`, maxRetries: 0 })
  }
  const request = {
    model: CHAT_LOGPROBS_MODEL,
    messages: [{ role: 'user' as const, content: 'Is it needed? Yes or no.' }],
    max_tokens: 1,
    temperature: 0,
    logprobs: true,
    top_logprobs: 20,
  }

  test('gets the first token with the log probabilities of its alternatives', async () => {
    const client = await setUp()
    const { choices } = await client.chat.completions.create(request)
    const alternatives = choices[0]?.logprobs?.content?.[0]?.top_logprobs ?? []
    const yes = alternatives.filter(({ token }) => token.trim().toLowerCase() === 'yes')
    const share = yes.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)
    expect(share).toBeCloseTo(0.8, 1)
  })

  test('knows the refusal of a key that is none', async () => {
    const client = await setUp('wrong')
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 401 })
  })
})
