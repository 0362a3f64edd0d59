/** Portkey's webhook request, and what its plugin makes of the answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicConversation,
  GATEWAY_ENVIRONMENT,
  GATEWAY_MODEL,
  toolConversation,
} from '../../helpers/gateway-conversation.ts'
import { applyWebhookAnswer } from '../../helpers/gateway-rules/portkey-webhook.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { type GoldenRequest, portkeyWebhook } from './requests.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService(GATEWAY_ENVIRONMENT)
})
afterAll(() => service.close())

const replay = ({ path, headers, body }: GoldenRequest) =>
  service.send(path, { method: 'POST', headers, body })

interface Body {
  readonly messages: readonly unknown[]
  readonly [member: string]: unknown
}

describe('Portkey’s webhook', () => {
  it.each([
    ['chatComplete', toolConversation()],
    ['messages', anthropicConversation()],
  ])(
    'sends on the compacted body of a request of type %s, its other members kept',
    async (requestType, messages) => {
      const json = {
        model: GATEWAY_MODEL,
        max_tokens: 500,
        messages,
        stream: true,
        metadata: { team: 'a' },
      }
      const answer = await replay(portkeyWebhook(json, { requestType }))
      const outcome = applyWebhookAnswer(answer, json)
      expect(outcome).toMatchObject({ verdict: true, isError: false })
      const { messages: sent, ...others } = outcome.json as Body
      const { messages: _posted, ...before } = json
      expect(others).toEqual(before)
      expect(Object.keys(outcome.json as Body)).toEqual(Object.keys(json))
      expect(sent.length).toBeLessThan(messages.length)
      const check = await service.ask<{ valid: boolean }>('/check', { messages: sent })
      expect(check.valid).toBe(true)
    },
  )

  it('sends on the items of a response’s input', async () => {
    const input = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} `.repeat(200),
    }))
    const json = { model: GATEWAY_MODEL, input, store: false }
    const answer = await replay(portkeyWebhook(json, { requestType: 'createModelResponse' }))
    const { json: sent } = applyWebhookAnswer(answer, json) as { json: { input: unknown[] } }
    expect(sent.input.length).toBeLessThan(input.length)
  })

  it('transforms nothing where the request is within its budget', async () => {
    const json = { model: GATEWAY_MODEL, messages: toolConversation(2, 3) }
    const answer = await replay(portkeyWebhook(json))
    expect(JSON.parse(answer.body)).toEqual({
      verdict: true,
      data: {
        outcome: 'unchanged',
        tokensBefore: expect.any(Number),
        tokensAfter: expect.any(Number),
      },
    })
    expect(applyWebhookAnswer(answer, json).json).toBe(json)
  })

  it.each([
    [
      'a response that goes on from a stored one',
      'createModelResponse',
      { previous_response_id: 'resp_1', input: outputs() },
    ],
    [
      'a response of a stored conversation',
      'createModelResponse',
      { conversation: { id: 'conv_1' }, input: outputs() },
    ],
    [
      'a thread that goes on',
      'messages',
      {
        max_tokens: 500,
        thread: { type: 'continue', id: 'thread_1' },
        messages: anthropicConversation(),
      },
    ],
  ])('leaves %s to its provider, however large it is', async (_name, requestType, members) => {
    const json = { model: GATEWAY_MODEL, ...members }
    const answer = await replay(portkeyWebhook(json, { requestType }))
    expect(applyWebhookAnswer(answer, json).json).toBe(json)
    expect(answer.headers).toMatchObject({
      'x-precis-outcome': 'passed',
      'x-precis-reason': 'held-by-provider',
    })
  })

  it.each([
    ['embeddings', { model: 'e', input: ['a', 'b'] }, { requestType: 'embed' }],
    ['a completion', { model: 'c', prompt: 'Once' }, { requestType: 'complete' }],
    ['the hook after a request', {}, { eventType: 'afterRequestHook' }],
    ['a request without a body', null, {}],
  ])('passes %s', async (_name, json, members) => {
    const answer = await replay(portkeyWebhook(json, members))
    expect(answer.headers['x-precis-reason']).toBe('no-conversation')
    expect(applyWebhookAnswer(answer, json)).toEqual({ verdict: true, isError: false, json })
  })
})

/** Results whose calls only the provider has. */
function outputs(): readonly unknown[] {
  return Array.from({ length: 60 }, (_, index) => ({
    type: 'function_call_output',
    call_id: `call_${index}`,
    output: `${index} `.repeat(200),
  }))
}
