import { describe, expect, it } from 'vitest'
import {
  type SchemaError,
  validationFaults,
} from '../../../src/contract/validation/validation-faults.ts'
import { TIMED } from '../../helpers/timed.ts'

function error(keyword: string, instancePath: string, params = {}): SchemaError {
  return { keyword, instancePath, message: `must be ${keyword}`, params }
}

/** What Ajv says of `count` pins that are objects. */
function badPins(count: number): SchemaError[] {
  return Array.from({ length: count }, (_, index) => [
    error('type', `/pins/${index}`),
    error('type', `/pins/${index}`),
    error('anyOf', `/pins/${index}`),
  ]).flat()
}

/** Milliseconds of CPU of the fastest of three runs. */
function cpuOf(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}

describe('the faults of a validation', () => {
  it('hold one for a union, at its own place where no member went further', () => {
    const faults = validationFaults([
      error('type', '/files/1'),
      error('required', '/files/1', { missingProperty: 'text' }),
      error('anyOf', '/files/1'),
      error('type', '/files/10/text'),
      error('anyOf', '/files/10'),
      error('minimum', '/targetTokens'),
    ])
    expect(faults).toEqual([
      { pointer: '/files/1', rule: 'anyOf', detail: 'must be type or an object with text' },
      { pointer: '/files/10/text', rule: 'type', detail: 'must be type' },
      { pointer: '/targetTokens', rule: 'minimum', detail: 'must be minimum' },
    ])
  })

  it('hold what is wrong inside a union once, however deep it is', () => {
    const inside = error('type', '/a/0/b/c')
    const faults = validationFaults([inside, inside, error('anyOf', '/a/0'), error('oneOf', '/a')])
    expect(faults).toEqual([{ pointer: '/a/0/b/c', rule: 'type', detail: 'must be type' }])
  })

  it(
    'are found at a cost that grows with the number of errors and not with its square',
    TIMED,
    () => {
      // Ten times the errors: ten times the work, or a hundred times if each looked at all others.
      const [few, many] = [badPins(2_000), badPins(20_000)]
      expect(validationFaults(many)).toHaveLength(20_000)
      const ratio = cpuOf(() => validationFaults(many)) / cpuOf(() => validationFaults(few))
      expect(ratio).toBeLessThan(35)
    },
  )

  it('can be as many as one place has unknown members', () => {
    const errors = Array.from({ length: 200_000 }, (_, index) =>
      error('additionalProperties', '', { additionalProperty: `x${index}` }),
    )
    expect(validationFaults(errors)).toHaveLength(200_000)
  })
})
