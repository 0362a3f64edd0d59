import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../../src/summarizer/classify-failure.ts'

const openai = (error: object) => ({ error: { message: 'm', param: null, ...error } })
const anthropic = (type: string, message = 'm') => ({ type: 'error', error: { type, message } })

describe('classifyFailure', () => {
  it.each([
    [400, 'invalid-request'],
    [401, 'authentication'],
    [402, 'authentication'],
    [403, 'authentication'],
    [404, 'invalid-request'],
    [408, 'timeout'],
    [413, 'max-tokens-exceeded'],
    [422, 'invalid-request'],
    [429, 'rate-limit'],
    [500, 'server'],
    [502, 'server'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [529, 'overloaded'],
  ] as const)('reads a bare status %i as %s', (status, failure) => {
    expect(classifyFailure(status, undefined)).toBe(failure)
  })

  it.each([
    ['OpenAI', 400, openai({ type: 'invalid_request_error', code: 'context_length_exceeded' })],
    ['llama.cpp', 500, openai({ type: 'exceed_context_size_error', code: 500 })],
    ['GitHub Models', 413, openai({ code: 'tokens_limit_reached' })],
    ['Anthropic', 413, anthropic('request_too_large')],
  ])('finds an overlong prompt in the structured members of %s', (_, status, payload) => {
    expect(classifyFailure(status, payload)).toBe('max-tokens-exceeded')
  })

  it.each([
    [
      'Anthropic',
      anthropic('invalid_request_error', 'prompt is too long: 210 tokens > 200 maximum'),
    ],
    [
      'Anthropic, output included',
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 9 > 8',
      ),
    ],
    ['OpenAI', openai({ message: "This model's maximum context length is 8 tokens.", code: null })],
    [
      'vLLM before it had envelopes',
      { object: 'error', message: "This model's maximum context length is 8 tokens.", code: 400 },
    ],
    ['llama.cpp', openai({ message: 'the request exceeds the available context size.' })],
    ['Bedrock', openai({ message: 'Input is too long for requested model.' })],
    [
      'Gemini, whose envelope is a list',
      [
        openai({
          message: 'The input token count (9) exceeds the maximum number of tokens allowed',
        }),
      ],
    ],
    ['a server whose error is a string', { error: 'prompt is too long' }],
  ])('finds an overlong prompt in the prose of %s when the members are silent', (_, payload) => {
    expect(classifyFailure(400, payload)).toBe('max-tokens-exceeded')
  })

  it('does not read prose where a member has spoken, nor under a status that means something else', () => {
    const message = 'prompt is too long'
    expect(classifyFailure(400, openai({ code: 'rate_limit_exceeded', message }))).toBe(
      'rate-limit',
    )
    expect(classifyFailure(500, openai({ message }))).toBe('server')
    expect(classifyFailure(404, openai({ message }))).toBe('invalid-request')
  })

  it('does not read an echoed prompt for a phrase', () => {
    const message = `Bad request: ${'x'.repeat(3_000)} prompt is too long`
    expect(classifyFailure(400, openai({ message }))).toBe('invalid-request')
  })

  it.each([
    ['authentication_error', 'authentication'],
    ['permission_error', 'authentication'],
    ['billing_error', 'authentication'],
    ['insufficient_quota', 'authentication'],
    ['rate_limit_error', 'rate-limit'],
    ['overloaded_error', 'overloaded'],
    ['timeout_error', 'timeout'],
  ] as const)('lets the error type %s decide, whatever the status', (type, failure) => {
    expect(classifyFailure(400, anthropic(type))).toBe(failure)
  })

  it('lets the code decide before the type', () => {
    const payload = openai({ type: 'rate_limit_error', code: 'context_length_exceeded' })
    expect(classifyFailure(400, payload)).toBe('max-tokens-exceeded')
  })

  it('reads an error that came with a 200', () => {
    expect(classifyFailure(200, openai({ code: 429 }))).toBe('rate-limit')
    expect(classifyFailure(200, openai({ code: '503' }))).toBe('overloaded')
    expect(classifyFailure(200, { choices: [{ error: { code: 502, message: 'm' } }] })).toBe(
      'server',
    )
    expect(classifyFailure(200, openai({ code: 'invalid_api_key' }))).toBe('authentication')
  })

  it.each([
    undefined,
    null,
    'text',
    7,
    [],
    {},
    { error: {} },
    { error: { code: 200 } },
    { choices: [] },
  ])('calls a 200 that is neither an answer nor an error malformed: %j', (payload) => {
    expect(classifyFailure(200, payload)).toBe('malformed-response')
  })

  it('looks names up as own names only', () => {
    expect(classifyFailure(400, openai({ code: 'constructor', type: '__proto__' }))).toBe(
      'invalid-request',
    )
  })
})
