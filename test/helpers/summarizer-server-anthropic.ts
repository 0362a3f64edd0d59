import { hasLoneSurrogate } from './lone-surrogate.ts'
import type { DialectServer, Refusal, ServerRules } from './summarizer-server.ts'

/** The Messages API as it is documented, written without a look at the client. */
export const anthropicServer: DialectServer = {
  path: '/v1/messages',

  check: ({ headers, body }, rules) => {
    const key = headers['x-api-key']
    if (key === undefined) return refuse(401, 'x-api-key header is required')
    if (key !== rules.apiKey) return refuse(401, 'invalid x-api-key')
    const version = headers['anthropic-version']
    if (version === undefined) return refuse(400, 'anthropic-version: header is required')
    if (version !== '2023-06-01') return refuse(400, 'anthropic-version: not a valid version')
    return body === undefined
      ? refuse(400, 'The request body is not valid JSON')
      : checkBody(body, rules)
  },

  error: (status) => refuse(status, `Scripted ${status}.`),

  answer: (answer, model) => {
    const message = (content: readonly Record<string, unknown>[], stopReason = 'end_turn') => ({
      id: 'msg_test',
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    const text = (value: string) => ({ type: 'text', text: value })
    switch (answer.kind) {
      case 'summary':
        return message([text(answer.text)])
      case 'parts':
        return message(answer.texts.map(text))
      case 'empty':
        return message([])
      case 'length-stopped':
        return message([text(answer.text)], 'max_tokens')
      case 'tool-call':
        return message(
          [
            ...(answer.text === undefined ? [] : [text(answer.text)]),
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
          ],
          'tool_use',
        )
      case 'refusal':
        return {
          ...message(answer.fragment === undefined ? [] : [text(answer.fragment)], 'refusal'),
          stop_details: {
            type: 'refusal',
            category: null,
            explanation: answer.explanation ?? null,
          },
        }
      case 'filtered':
        return message([text(answer.fragment)], 'refusal')
      case 'reasoning-only':
        return message(
          [{ type: 'thinking', thinking: answer.text, signature: 'c2ln' }],
          'max_tokens',
        )
    }
  },
}

const KNOWN_FIELDS = new Set([
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'service_tier',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
])

const checkBody = (body: Record<string, unknown>, rules: ServerRules): Refusal | undefined => {
  for (const name of Object.keys(body)) {
    if (!KNOWN_FIELDS.has(name)) return refuse(400, `${name}: Extra inputs are not permitted`)
  }
  if (body.model !== rules.model) return refuse(404, `model: ${String(body.model)}`)
  if (body.max_tokens === undefined) return refuse(400, 'max_tokens: Field required')
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens as number) < 1) {
    return refuse(400, 'max_tokens: Input should be greater than or equal to 1')
  }
  // Newer models take no sampling parameter.
  if ('temperature' in body) return refuse(400, '`temperature` is deprecated for this model.')
  if ('tool_choice' in body && !('tools' in body)) {
    return refuse(400, 'tool_choice may only be specified while providing tools.')
  }
  const { messages, system } = body
  if (system !== undefined && typeof system !== 'string') {
    return refuse(400, 'system: Input should be a valid string')
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    return refuse(400, 'messages: at least one message is required')
  }
  let chars = typeof system === 'string' ? system.length : 0
  for (const [index, message] of messages.entries()) {
    if (message?.role !== 'user' && message?.role !== 'assistant') {
      return refuse(400, `messages.${index}.role: Input should be 'user' or 'assistant'`)
    }
    if (typeof message.content !== 'string' || message.content === '') {
      return refuse(400, 'messages: text content blocks must be non-empty')
    }
    if (hasLoneSurrogate(message.content)) {
      return refuse(400, 'The request body is not valid JSON: no low surrogate in string')
    }
    chars += message.content.length
  }
  const tokens = Math.ceil(chars / 4)
  if (tokens > rules.contextTokens) {
    return refuse(400, `prompt is too long: ${tokens} tokens > ${rules.contextTokens} maximum`)
  }
  return undefined
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const refuse = (status: number, message: string): Refusal => ({
  status,
  body: {
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_test',
  },
})
