import { describe, expect, it } from 'vitest'
import { ERRORS, PrecisError } from '../../../src/engine/errors.ts'

describe('PrecisError', () => {
  it('carries its code, and nothing that it was not given', () => {
    const error = new PrecisError('overloaded', 'busy')
    expect(error).toMatchObject({
      name: 'PrecisError',
      code: 'overloaded',
      message: 'busy',
      faults: [],
    })
    expect(error.retryAfter).toBeUndefined()
    expect('cause' in error).toBe(false)
  })

  it('carries faults, seconds and a cause', () => {
    const cause = new TypeError('deep')
    const faults = [{ pointer: '/messages', rule: 'array', detail: 'must be an array' }]
    const error = new PrecisError('overloaded', 'busy', { faults, retryAfter: 3, cause })
    expect(error).toMatchObject({ faults, retryAfter: 3, cause })
  })

  it('calls only those errors retryable that may pass by themselves', () => {
    const retryable = Object.entries(ERRORS).filter(([, row]) => row.retryable)
    expect(retryable.map(([code]) => code).sort()).toEqual([
      'client-closed-request',
      'deadline-exceeded',
      'overloaded',
      'rate-limited',
      'shutting-down',
      'upstream-timeout',
      'upstream-unreachable',
    ])
  })
})
