import { expect } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/engine/errors.ts'
import type { Problem } from '../../src/http/problem.ts'

/** The part of a light-my-request or undici response that is looked at. */
interface AnyResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
}

/** Expects a complete problem document of this code, and returns it. */
export function expectProblem(response: AnyResponse, code: ErrorCode): Problem {
  const problem = JSON.parse(response.body) as Problem
  const { status, title, retryable } = ERRORS[code]
  expect(problem).toEqual({
    type: `urn:precis:problem:${code}`,
    title,
    status,
    detail: expect.any(String),
    instance: response.headers['x-request-id'],
    code,
    retryable,
    errors: expect.any(Array),
  })
  expect(problem.detail).not.toBe('')
  for (const fault of problem.errors) {
    expect(fault).toEqual({
      pointer: expect.stringMatching(/^(\/.*)?$/s),
      rule: expect.stringMatching(/^\S+$/),
      detail: expect.stringMatching(/\S/),
    })
  }
  expect(response.statusCode).toBe(status)
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json(;|$)/)
  if (status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  return problem
}
