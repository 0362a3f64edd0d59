/** LiteLLM's Generic Guardrail API request, and the answer written back as LiteLLM writes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GATEWAY_ENVIRONMENT, toolConversation } from '../../helpers/gateway-conversation.ts'
import { applyGuardrailAnswer } from '../../helpers/gateway-rules/litellm-guardrail.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { type GoldenRequest, litellmGuardrail } from './requests.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService({ ...GATEWAY_ENVIRONMENT, PRECIS_API_KEYS: 'golden-key' })
})
afterAll(() => service.close())

const replay = ({ path, headers, body }: GoldenRequest) =>
  service.send(path, { method: 'POST', headers, body })

const withoutContent = (messages: readonly Readonly<Record<string, unknown>>[]) =>
  messages.map(({ content, ...others }) => others)

describe('LiteLLM’s Generic Guardrail API', () => {
  it('has shorter texts written back in their places, and everything else as it was', async () => {
    const messages = toolConversation()
    const answer = await replay(litellmGuardrail(messages))
    expect(JSON.parse(answer.body)).toMatchObject({ action: 'GUARDRAIL_INTERVENED' })
    const edited = applyGuardrailAnswer(answer, messages)
    expect(edited).toHaveLength(messages.length)
    expect(withoutContent(edited)).toEqual(withoutContent(messages))
    expect(JSON.stringify(edited).length).toBeLessThan(JSON.stringify(messages).length / 2)
    const said = (list: readonly Readonly<Record<string, unknown>>[]) =>
      list.filter(({ role }) => role !== 'tool')
    expect(said(edited)).toEqual(said(messages))
  })

  it('has texts in blocks written back into their blocks', async () => {
    const messages = toolConversation().map((message) =>
      message.role === 'tool'
        ? { ...message, content: [{ type: 'text', text: message.content, cache: { a: 1 } }] }
        : message,
    )
    const edited = applyGuardrailAnswer(await replay(litellmGuardrail(messages)), messages)
    expect(edited).not.toEqual(messages)
    for (const [index, { role, content }] of edited.entries()) {
      if (role !== 'tool') expect(content).toEqual(messages[index]?.content)
      else expect(content).toEqual([{ type: 'text', text: expect.any(String), cache: { a: 1 } }])
    }
  })

  it('is told of nothing to do where the texts are within the budget', async () => {
    const { body } = await replay(litellmGuardrail(toolConversation(2, 3)))
    expect(JSON.parse(body)).toEqual({ action: 'NONE' })
  })

  it('takes its target from the parameters that a request carries', async () => {
    const messages = toolConversation(3, 20)
    const small = { additional_provider_specific_params: { target_tokens: 600 } }
    const answer = await replay(litellmGuardrail(messages, small))
    const edited = applyGuardrailAnswer(answer, messages)
    expect(JSON.stringify(edited).length).toBeLessThan(JSON.stringify(messages).length)
    expect(Number(answer.headers['x-precis-tokens-after'])).toBeLessThanOrEqual(600)
  })

  it.each([
    ['an answer of the model', { input_type: 'response' }, 'not-a-request'],
    ['a window of the texts', { texts: ['only this one'] }, 'other-texts'],
    ['texts without their messages', { structured_messages: null }, 'other-texts'],
    ['no texts at all', { texts: null }, 'other-texts'],
  ])('is told of nothing to do about %s', async (_name, members, reason) => {
    const { statusCode, headers, body } = await replay(
      litellmGuardrail(toolConversation(), members),
    )
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({ action: 'NONE' })
    expect(headers['x-precis-outcome']).toBe('passed')
    expect(headers['x-precis-reason']).toBe(reason)
  })

  it('is refused with a key that is not ours, in its own words', async () => {
    const request = litellmGuardrail()
    const { statusCode, body } = await replay({
      ...request,
      headers: { ...request.headers, 'x-api-key': 'somebody-else' },
    })
    expect(statusCode).toBe(401)
    expect(JSON.parse(body)).toEqual({ detail: expect.any(String) })
  })
})
