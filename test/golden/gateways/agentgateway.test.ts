/** agentgateway's prompt guard webhook, in both forms of its messages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicConversation,
  type ChatMessage,
  GATEWAY_ENVIRONMENT,
  plainConversation,
  toolConversation,
} from '../../helpers/gateway-conversation.ts'
import {
  readGuardrailAction,
  readRawAnswer,
} from '../../helpers/gateway-rules/agentgateway-webhook.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { agentgatewayGuardrail, agentgatewayRaw, type GoldenRequest } from './requests.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService(GATEWAY_ENVIRONMENT)
})
afterAll(() => service.close())

const replay = async ({ path, headers, body }: GoldenRequest) => {
  const answer = await service.send(path, { method: 'POST', headers, body })
  expect(answer.statusCode).toBe(200)
  return answer
}

/** How agentgateway flattens messages for a guardrail. */
const flattened = (messages: readonly ChatMessage[]): ChatMessage[] =>
  messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : '',
  }))

describe('agentgateway’s prompt guard', () => {
  it('masks a plain chat that has outgrown its target', async () => {
    const messages = plainConversation()
    const action = readGuardrailAction((await replay(agentgatewayGuardrail(messages))).body)
    if (action.kind !== 'mask') throw new Error(`it is a ${action.kind}`)
    expect(action.messages.length).toBeLessThan(messages.length)
    expect(action.messages[0]).toEqual(messages[0])
    expect(action.messages.at(-1)).toEqual(messages.at(-1))
  })

  it('passes a chat that is within its target', async () => {
    const { body } = await replay(agentgatewayGuardrail(plainConversation(1, 2)))
    expect(readGuardrailAction(body)).toEqual({ kind: 'pass' })
  })

  it.each([
    ['results of tools', flattened(toolConversation())],
    [
      'an answer that only calls tools',
      flattened(toolConversation()).filter(({ role }) => role !== 'tool'),
    ],
    ['tool fields', toolConversation()],
    ['blocks instead of texts', anthropicConversation()],
    ['a name', [...plainConversation(), { role: 'user', content: 'x', name: 'ada' }]],
    ['no objects', ['x']],
  ])('passes a conversation with %s', async (_name, messages) => {
    const answer = await replay(agentgatewayGuardrail(messages as ChatMessage[]))
    expect(readGuardrailAction(answer.body)).toEqual({ kind: 'pass' })
    expect(answer.headers['x-precis-reason']).toBe('not-plain-text')
  })
})

describe('agentgateway’s raw messages', () => {
  it.each([
    ['OpenAI’s', toolConversation()],
    ['Anthropic’s', anthropicConversation()],
  ])('come back smaller and valid in %s format', async (_name, messages) => {
    const { body } = await replay(agentgatewayRaw(messages))
    const replaced = readRawAnswer(body, messages)
    expect(replaced.length).toBeLessThan(messages.length)
    const check = await service.ask<{ valid: boolean }>('/check', { messages: replaced })
    expect(check.valid).toBe(true)
  })

  it('pass where there is nothing to do', async () => {
    const messages = toolConversation(2, 3)
    const { body } = await replay(agentgatewayRaw(messages))
    expect(body).toBe('{}')
    expect(readRawAnswer(body, messages)).toBe(messages)
  })
})
