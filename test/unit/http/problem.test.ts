import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode, PrecisError } from '../../../src/engine/errors.ts'
import { ProblemSchema, retryAfterOf, toProblem } from '../../../src/http/problem.ts'

describe('toProblem', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('maps %s to its row of the table', (code) => {
    const faults = [{ pointer: '/messages/3', rule: 'role', detail: 'is not a role' }]
    expect(toProblem(new PrecisError(code, 'What happened.', { faults }), 'id-1')).toEqual({
      type: `urn:precis:problem:${code}`,
      title: ERRORS[code].title,
      status: ERRORS[code].status,
      detail: 'What happened.',
      instance: 'id-1',
      code,
      retryable: ERRORS[code].retryable,
      errors: faults,
    })
  })

  it('makes a valid document of anything that can be thrown', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(Value.Check(ProblemSchema, toProblem(thrown, 'id-1'))).toBe(true)
      }),
      { numRuns: 500, seed: 4711 },
    )
  })

  it.each([
    ['a foreign error', new Error('canary')],
    ['a foreign error with a status', Object.assign(new Error('canary'), { statusCode: 502 })],
    ['a foreign error with a code', Object.assign(new Error('canary'), { code: 'E_CANARY' })],
    ['a string', 'canary'],
    ['a body stream that broke off', Object.assign(new Error('canary'), { statusCode: 400 })],
    ['an error of Fastify', Object.assign(new Error('canary'), { code: 'FST_ERR_BAD_URL' })],
  ])('says nothing of what %s says', (_name, thrown) => {
    const problem = toProblem(thrown, 'id-1')
    expect(JSON.stringify(problem)).not.toMatch(/canary/i)
  })

  it('lists a bounded number of faults and says how many it left out', () => {
    const faults = Array.from({ length: 60 }, (_, index) => ({
      pointer: `/messages/${index}`,
      rule: 'role',
      detail: 'is not a role',
    }))
    const { errors } = toProblem(new PrecisError('invalid-conversation', 'x', { faults }), 'id')
    expect(errors).toHaveLength(51)
    expect(errors.at(-1)).toEqual({
      pointer: '',
      rule: 'more-errors',
      detail: '10 more are not listed',
    })
  })
})

describe('retryAfterOf', () => {
  it('is whole seconds, and there on every 503', () => {
    const retryAfter = (error: PrecisError) => retryAfterOf(error, toProblem(error, 'id'))
    expect(retryAfter(new PrecisError('overloaded', 'x', { retryAfter: 2.2 }))).toBe(3)
    expect(retryAfter(new PrecisError('deadline-exceeded', 'x'))).toBe(1)
    expect(retryAfter(new PrecisError('invalid-request', 'x'))).toBeUndefined()
  })
})
