import { hasLoneSurrogate } from './lone-surrogate.ts'
import type { DialectServer, Refusal, ServerRules } from './summarizer-server.ts'

/** The chat completions API as it is documented, written without a look at the client. */
export const openaiServer: DialectServer = {
  path: '/v1/chat/completions',

  check: ({ headers, body }, rules) => {
    const authorization = headers.authorization
    if (authorization === undefined) {
      return refuse(401, "You didn't provide an API key.", 'invalid_request_error', null, null)
    }
    if (authorization !== `Bearer ${rules.apiKey}`) {
      return refuse(
        401,
        'Incorrect API key provided.',
        'invalid_request_error',
        null,
        'invalid_api_key',
      )
    }
    return body === undefined
      ? invalid('We could not parse the JSON body of your request.', null)
      : checkBody(body, rules)
  },

  error: (status) => envelope(status, `Scripted ${status}.`, typeOf(status), null, codeOf(status)),

  answer: (answer, model) => {
    const base = {
      id: 'chatcmpl-test',
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }
    const choice = (message: Record<string, unknown>, finishReason = 'stop') => ({
      ...base,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', refusal: null, ...message },
          logprobs: null,
          finish_reason: finishReason,
        },
      ],
    })
    switch (answer.kind) {
      case 'summary':
        return choice({ content: answer.text })
      case 'parts':
        return choice({ content: answer.texts.map((text) => ({ type: 'text', text })) })
      case 'empty':
        return choice({ content: '' })
      case 'length-stopped':
        return choice({ content: answer.text }, 'length')
      case 'tool-call':
        return choice(
          {
            content: answer.text ?? null,
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } },
            ],
          },
          'tool_calls',
        )
      case 'refusal':
        return choice({ content: null, refusal: answer.explanation ?? null })
      case 'filtered':
        return choice({ content: answer.fragment }, 'content_filter')
      case 'reasoning-only':
        return choice(
          { content: '', reasoning_content: answer.text, reasoning: answer.text },
          'length',
        )
    }
  },
}

const KNOWN_PARAMETERS = new Set([
  'frequency_penalty',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'n',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'store',
  'stream',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'user',
])

const ROLES = new Set(['developer', 'system', 'user', 'assistant', 'tool'])

const checkBody = (body: Record<string, unknown>, rules: ServerRules): Refusal | undefined => {
  for (const name of Object.keys(body)) {
    if (!KNOWN_PARAMETERS.has(name)) {
      return invalid(`Unrecognized request argument supplied: ${name}`, null)
    }
  }
  if (body.model !== rules.model) {
    return refuse(
      404,
      'The model does not exist.',
      'invalid_request_error',
      null,
      'model_not_found',
    )
  }
  // What OpenAI's reasoning models refuse, and what the other models would take.
  if ('max_tokens' in body) {
    return invalid(
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  }
  if ('temperature' in body && body.temperature !== 1) {
    return invalid("Unsupported value: 'temperature'.", 'temperature', 'unsupported_value')
  }
  if ('tool_choice' in body && !('tools' in body)) {
    return invalid("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice')
  }
  const limit = body.max_completion_tokens
  if (limit !== undefined && (!Number.isInteger(limit) || (limit as number) < 1)) {
    return invalid('Invalid value for max_completion_tokens.', 'max_completion_tokens')
  }
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) {
    return invalid("Invalid 'messages': empty array.", 'messages', 'empty_array')
  }
  let chars = 0
  for (const [index, message] of messages.entries()) {
    if (!ROLES.has(message?.role)) return invalid('Invalid role.', `messages[${index}].role`)
    if (typeof message.content !== 'string') {
      return invalid('Invalid content.', `messages[${index}].content`)
    }
    if (hasLoneSurrogate(message.content)) {
      return invalid('We could not parse the JSON body of your request.', null)
    }
    chars += message.content.length
  }
  const tokens = Math.ceil(chars / 4)
  if (tokens > rules.contextTokens) {
    return invalid(
      `This model's maximum context length is ${rules.contextTokens} tokens. However, your messages resulted in ${tokens} tokens.`,
      'messages',
      rules.structuredErrors ? 'context_length_exceeded' : null,
    )
  }
  return undefined
}

const envelope = (
  status: number,
  message: string,
  type: string,
  param: string | null,
  code: string | null,
): Refusal => ({ status, body: { error: { message, type, param, code } } })

const refuse = envelope

const invalid = (message: string, param: string | null, code: string | null = null): Refusal =>
  envelope(400, message, 'invalid_request_error', param, code)

const typeOf = (status: number): string =>
  status >= 500 ? 'server_error' : status === 429 ? 'requests' : 'invalid_request_error'

const codeOf = (status: number): string | null => {
  if (status === 401) return 'invalid_api_key'
  return status === 429 ? 'rate_limit_exceeded' : null
}
