import { describe, expect, it } from 'vitest'
import { harderTarget } from '../../../src/proxy/overflow/harder-target.ts'
import { recogniseOverflow } from '../../../src/proxy/overflow/recognise.ts'
import { processorTime, TIMED } from '../../helpers/timed.ts'

interface Shape {
  readonly server: string
  readonly status: number
  readonly body: unknown
  readonly limit?: number
  readonly sent?: number
}

const openai = (
  message: string,
  code: unknown = null,
  type: unknown = 'invalid_request_error',
) => ({
  error: { message, type, param: null, code },
})

/** What servers answer to a conversation that is too long, as their sources and users report it. */
const OVERFLOWS: readonly Shape[] = [
  {
    server: 'OpenAI chat',
    status: 400,
    body: openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
    ),
    limit: 8_192,
    sent: 8_545,
  },
  {
    server: 'OpenAI chat with an answer in it',
    status: 400,
    body: openai(
      "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      'context_length_exceeded',
    ),
    limit: 3_097,
    sent: 3_120,
  },
  {
    server: 'OpenAI Responses',
    status: 400,
    body: openai('Your input exceeds the context window of this model.', 'context_length_exceeded'),
  },
  {
    server: 'OpenAI with a configured limit',
    status: 400,
    body: openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280123 tokens. Please reduce the length of the messages.',
      'context_length_exceeded',
    ),
    limit: 272_000,
    sent: 280_123,
  },
  { server: 'Azure', status: 400, body: openai('Too long.', 'content_length_exceeded', null) },
  {
    server: 'Anthropic',
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
      request_id: 'req_1',
    },
    limit: 200_000,
    sent: 210_000,
  },
  {
    server: 'Anthropic with an answer in it',
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    limit: 178_667,
    sent: 188_240,
  },
  {
    server: 'Anthropic, bytes',
    status: 413,
    body: {
      type: 'error',
      error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
    },
  },
  {
    server: 'Gemini',
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        status: 'INVALID_ARGUMENT',
      },
    },
    limit: 1_048_575,
    sent: 1_196_265,
  },
  {
    server: 'Gemini in a list',
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            'The input token count (70000) exceeds the maximum number of tokens allowed (65536).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    limit: 65_536,
    sent: 70_000,
  },
  {
    server: 'Vertex',
    status: 400,
    body: {
      error: {
        message:
          'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
      },
    },
    limit: 32_768,
    sent: 40_000,
  },
  {
    server: 'vLLM',
    status: 400,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    limit: 3_096,
    sent: 4_000,
  },
  {
    server: 'vLLM, newer',
    status: 400,
    body: {
      error: {
        message:
          "You passed 5001 input tokens and requested 1000 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3096 tokens. Please reduce the length of the input prompt.",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
    limit: 3_096,
    sent: 5_001,
  },
  {
    server: 'llama.cpp',
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'request (4476 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 4_476,
        n_ctx: 4_096,
      },
    },
    limit: 4_096,
    sent: 4_476,
  },
  {
    server: 'llama.cpp, older',
    status: 400,
    body: openai('the request exceeds the available context size, try increasing it', 400),
  },
  {
    server: 'SGLang',
    status: 400,
    body: {
      object: 'error',
      message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
    limit: 4_096,
    sent: 5_000,
  },
  {
    server: 'Text Generation Inference',
    status: 422,
    body: {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
      error_type: 'validation',
    },
    limit: 3_996,
    sent: 5_000,
  },
  {
    server: 'Ollama',
    status: 400,
    body: openai('prompt too long; exceeded max context length by 123 tokens'),
  },
  { server: 'Bedrock', status: 400, body: { message: 'Input is too long for requested model.' } },
  {
    server: 'Mistral',
    status: 400,
    body: {
      object: 'error',
      message:
        'Prompt contains 60000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
      code: '3051',
    },
    limit: 32_768,
    sent: 60_000,
  },
  {
    server: 'xAI',
    status: 400,
    body: {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    limit: 131_072,
    sent: 537_812,
  },
  {
    server: 'GitHub Copilot',
    status: 400,
    body: openai(
      'prompt token count of 140000 exceeds the limit of 128000',
      'model_max_prompt_tokens_exceeded',
    ),
    limit: 128_000,
    sent: 140_000,
  },
  {
    server: 'Kimi',
    status: 400,
    body: openai(
      'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    ),
    limit: 262_144,
    sent: 291_351,
  },
  {
    server: 'OpenRouter around a provider',
    status: 400,
    body: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 250000 tokens > 200000 maximum"}}',
          provider_name: 'Anthropic',
        },
      },
    },
    limit: 200_000,
    sent: 250_000,
  },
  {
    server: 'LiteLLM around a provider',
    status: 400,
    body: openai(
      'litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 250000 tokens > 200000 maximum"}}',
      '400',
      null,
    ),
    limit: 200_000,
    sent: 250_000,
  },
  { server: 'a server in between', status: 413, body: '<html>413 Request Entity Too Large</html>' },
]

/** Answers that look like it, and are about something else. */
const OTHERS: readonly Shape[] = [
  {
    server: 'a rate limit',
    status: 429,
    body: openai(
      'Rate limit reached: maximum context length of your tier',
      'context_length_exceeded',
    ),
  },
  {
    server: 'a token rate with status 413 (Groq)',
    status: 413,
    body: openai(
      'Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.',
      'rate_limit_exceeded',
      'tokens',
    ),
  },
  {
    server: 'a quota (Google)',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'Quota exceeded for input tokens',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
  },
  {
    server: 'too many tokens per minute',
    status: 400,
    body: openai('Too many tokens per minute.'),
  },
  { server: 'a password', status: 400, body: openai('Please reduce the length of your password.') },
  {
    server: 'an answer that is too long',
    status: 400,
    body: openai(
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      'invalid_value',
    ),
  },
  {
    server: 'one text that is too long',
    status: 400,
    body: openai("Invalid 'messages[1].content': string too long.", 'string_above_max_length'),
  },
  {
    server: 'broken tool pairs',
    status: 400,
    body: openai("An assistant message with 'tool_calls' must be followed by tool messages."),
  },
  {
    server: 'a picture that is too large',
    status: 413,
    body: openai('image exceeds 5 MB maximum'),
  },
  {
    server: 'no key',
    status: 401,
    body: openai('context_length_exceeded', 'context_length_exceeded'),
  },
  { server: 'a server error', status: 500, body: openai('prompt is too long') },
  { server: 'an empty body', status: 400, body: '' },
  { server: 'something that is no JSON', status: 400, body: '{"error":' },
]

const bytes = (body: unknown) =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8')

describe('recognising that a conversation was too long', () => {
  it.each(OVERFLOWS)('knows the words of $server', ({ status, body, limit, sent }) => {
    expect(recogniseOverflow(status, bytes(body))).toEqual({
      ...(limit !== undefined && { limitTokens: limit }),
      ...(sent !== undefined && { sentTokens: sent }),
    })
  })

  it.each(OTHERS)('does not take $server for it', ({ status, body }) => {
    expect(recogniseOverflow(status, bytes(body))).toBeUndefined()
  })

  it('reads a hostile error in linear time and depth', TIMED, async () => {
    const deep = `${'{"error":'.repeat(5_000)}"prompt is too long"${'}'.repeat(5_000)}`
    const long = openai(`${'requested 1 tokens (1 in '.repeat(3_000)} prompt is too long`)
    const milliseconds = await processorTime(() => {
      expect(recogniseOverflow(400, bytes(deep))).toBeUndefined()
      expect(recogniseOverflow(400, bytes(long))).toEqual({})
    })
    expect(milliseconds).toBeLessThan(1_000)
  })
})

describe('the target after a refusal', () => {
  it("translates the upstream's limit by the ratio of the two counts", () => {
    // It counted twice as many as we did: of its 1,000 tokens 500 of ours are left, less the margin.
    expect(harderTarget({ limitTokens: 1_000, sentTokens: 2_000 }, 1_000)).toBe(450)
  })

  it('is 70% of what was sent where no number is known', () => {
    expect(harderTarget({}, 10_000)).toBe(7_000)
  })

  it('stays below a limit that is known by itself', () => {
    expect(harderTarget({ limitTokens: 4_000 }, 10_000)).toBe(3_600)
    expect(harderTarget({ limitTokens: 20_000 }, 10_000)).toBe(7_000)
  })

  it('always asks for less than was sent, and for something', () => {
    expect(harderTarget({ limitTokens: 1_000_000, sentTokens: 1_000_001 }, 100)).toBeLessThan(96)
    expect(harderTarget({ limitTokens: 1, sentTokens: 1_000_000 }, 100)).toBe(1)
  })
})
