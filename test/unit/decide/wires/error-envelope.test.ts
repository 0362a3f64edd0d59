import { describe, expect, test } from 'vitest'
import { classifyErrorEnvelope } from '../../../../src/decide/wires/error-envelope.ts'

const detail = (error_type: string) => ({ detail: { error_type } })
const error = (type: string, code: string | null = null) => ({ error: { type, code, message: '' } })

describe('an error response', () => {
  test.each([
    [400, detail('max_tokens_exceeded'), 'max-tokens-exceeded'],
    [422, detail('max_tokens_exceeded'), 'max-tokens-exceeded'],
    [400, detail('api_usage_error'), 'invalid-request'],
    [401, detail('authentication_error'), 'authentication'],
    [403, detail('authentication_error'), 'authentication'],
    [413, { detail: 'Request Entity Too Large' }, 'max-tokens-exceeded'],
    [422, { detail: [{ loc: ['body'], msg: '', type: 'missing', input: {} }] }, 'invalid-request'],
    [429, detail('rate_limit_error'), 'rate-limit'],
    [529, detail('overloaded_error'), 'overloaded'],
  ] as const)('of System One reads %i %j as %s', (status, json, failure) => {
    expect(classifyErrorEnvelope(status, json)).toBe(failure)
  })

  test.each([
    [400, error('invalid_request_error', 'context_length_exceeded'), 'max-tokens-exceeded'],
    [400, error('invalid_request_error', 'invalid_value'), 'invalid-request'],
    [401, error('invalid_request_error', 'invalid_api_key'), 'authentication'],
    [403, error('customer_verification_required'), 'authentication'],
    [404, error('invalid_request_error', 'model_not_found'), 'invalid-request'],
    [429, error('requests', 'rate_limit_exceeded'), 'rate-limit'],
    [429, error('insufficient_quota', 'insufficient_quota'), 'authentication'],
    [400, error('request_too_large'), 'max-tokens-exceeded'],
    [500, error('server_error'), 'server'],
  ] as const)('of OpenAI and gateways reads %i %j as %s', (status, json, failure) => {
    expect(classifyErrorEnvelope(status, json)).toBe(failure)
  })

  test('whose body names the cause is read by the name: some servers answer 500 to everything', () => {
    expect(classifyErrorEnvelope(500, detail('max_tokens_exceeded'))).toBe('max-tokens-exceeded')
    expect(classifyErrorEnvelope(502, detail('api_usage_error'))).toBe('invalid-request')
  })

  test.each([undefined, null, 'text', [], {}, { detail: null }, { error: 'text' }, { detail: {} }])(
    'with the body %j is read by its status',
    (json) => {
      expect(classifyErrorEnvelope(529, json)).toBe('overloaded')
      expect(classifyErrorEnvelope(400, json)).toBe('invalid-request')
    },
  )
})
