/** LiteLLM's and agentgateway's calls of Headroom's contract, judged by what those callers accept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicConversation,
  GATEWAY_ENVIRONMENT,
  GATEWAY_MODEL,
  toolConversation,
} from '../../helpers/gateway-conversation.ts'
import { readRawAnswer } from '../../helpers/gateway-rules/agentgateway-webhook.ts'
import {
  acceptHeadroomAnswer,
  hasHash,
  spendOf,
} from '../../helpers/gateway-rules/litellm-headroom.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { agentgatewayCompression, type GoldenRequest, litellmHeadroom } from './requests.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService({ ...GATEWAY_ENVIRONMENT, PRECIS_API_KEYS: 'golden-key' })
})
afterAll(() => service.close())

const replay = ({ path, headers, body }: GoldenRequest) =>
  service.send(path, { method: 'POST', headers, body })

const authorized = (request: GoldenRequest): GoldenRequest => ({
  ...request,
  headers: { ...request.headers, authorization: 'Bearer golden-key' },
})

describe('LiteLLM’s guardrail headroom', () => {
  it('takes the answer, which is smaller and valid, and finds no retrieval marker in it', async () => {
    const answer = await replay(litellmHeadroom())
    const messages = acceptHeadroomAnswer(answer)
    expect(hasHash(messages)).toBe(false)
    expect(messages.length).toBeLessThan(toolConversation().length)
    const check = await service.send('/check', {
      method: 'POST',
      headers: { authorization: 'Bearer golden-key' },
      body: { format: 'openai-chat', messages },
    })
    expect(JSON.parse(check.body)).toMatchObject({ valid: true })
  })

  it('finds numbers for its log of spending that add up', async () => {
    const { body } = await replay(litellmHeadroom())
    const spend = spendOf(body)
    expect(spend).toEqual({
      tokens_before: expect.any(Number),
      tokens_after: expect.any(Number),
      tokens_saved: expect.any(Number),
      compression_ratio: expect.any(Number),
      transforms_applied: expect.arrayContaining([
        expect.stringMatching(/^\w+:(dropped|rewritten):\d+$/),
      ]),
    })
    const [before, after] = [Number(spend.tokens_before), Number(spend.tokens_after)]
    expect(after).toBeLessThan(before)
    expect(spend.tokens_saved).toBe(before - after)
    expect(spend.compression_ratio).toBeCloseTo(after / before, 10)
  })

  it('gets the members of Headroom’s answer and no others', async () => {
    const { body } = await replay(litellmHeadroom())
    expect(Object.keys(JSON.parse(body)).sort()).toEqual([
      'ccr_hashes',
      'compression_ratio',
      'messages',
      'tokens_after',
      'tokens_before',
      'tokens_saved',
      'transforms_applied',
      'transforms_summary',
    ])
  })

  it('gets its messages back as they came where they are within the budget', async () => {
    const messages = toolConversation(2, 3)
    const answer = await replay(litellmHeadroom(messages))
    expect(acceptHeadroomAnswer(answer)).toEqual(messages)
    expect(spendOf(answer.body)).toMatchObject({ tokens_saved: 0, transforms_applied: [] })
  })

  it('may leave out the model, as it does for a request without one', async () => {
    const messages = toolConversation(2, 3)
    const answer = await replay(litellmHeadroom(messages, undefined))
    expect(acceptHeadroomAnswer(answer)).toEqual(messages)
  })

  it('is refused without its key, as its own service would refuse it', async () => {
    const request = litellmHeadroom()
    const { statusCode, headers, body } = await replay({
      ...request,
      headers: { 'content-type': 'application/json' },
    })
    expect(statusCode).toBe(401)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(body)).toEqual({
      error: { type: 'unauthorized', message: expect.stringContaining('Authorization: Bearer') },
    })
  })

  it('is told that nothing is stored when it asks for what a marker would name', async () => {
    const { statusCode, body } = await service.send(
      '/v1/retrieve/0123456789abcdef01234567?query=x',
      {
        headers: { authorization: 'Bearer golden-key' },
      },
    )
    expect(statusCode).toBe(404)
    expect(JSON.parse(body)).toEqual({ detail: 'Entry not found or expired' })
  })
})

describe('agentgateway’s context compression', () => {
  it.each([
    ['OpenAI’s', toolConversation()],
    ['Anthropic’s', anthropicConversation()],
  ])('sends %s messages raw and takes what comes back', async (_name, messages) => {
    const request = authorized(agentgatewayCompression(messages))
    const { statusCode, body } = await replay(request)
    expect(statusCode).toBe(200)
    const replaced = readRawAnswer(body, messages)
    expect(replaced.length).toBeLessThan(messages.length)
    const check = await service.send('/check', {
      method: 'POST',
      headers: { authorization: 'Bearer golden-key' },
      body: { messages: replaced, model: GATEWAY_MODEL },
    })
    expect(JSON.parse(check.body)).toMatchObject({ valid: true })
  })
})
