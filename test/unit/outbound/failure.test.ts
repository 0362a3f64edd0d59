import { describe, expect, test } from 'vitest'
import { classifyStatus, isRetryable } from '../../../src/outbound/failure.ts'

describe('classifying a status', () => {
  test.each([
    [301, 'invalid-request'],
    [400, 'invalid-request'],
    [401, 'authentication'],
    [402, 'authentication'],
    [403, 'authentication'],
    [404, 'invalid-request'],
    [407, 'authentication'],
    [408, 'timeout'],
    [413, 'max-tokens-exceeded'],
    [422, 'invalid-request'],
    [429, 'rate-limit'],
    [500, 'server'],
    [502, 'server'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [529, 'overloaded'],
  ] as const)('reads %i as %s', (status, failure) => {
    expect(classifyStatus(status)).toBe(failure)
  })
})

describe('retryable failures', () => {
  test.each(['timeout', 'network', 'rate-limit', 'overloaded', 'server'] as const)(
    'include %s',
    (failure) => {
      expect(isRetryable(failure)).toBe(true)
    },
  )

  test.each([
    'authentication',
    'invalid-request',
    'max-tokens-exceeded',
    'malformed-response',
    'breaker-open',
    'busy',
    'deadline',
    'aborted',
    'error',
  ] as const)('exclude %s', (failure) => {
    expect(isRetryable(failure)).toBe(false)
  })
})
