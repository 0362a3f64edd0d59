/** W8: theirs takes a target of 0 for "no target", and does nothing at all for NaN. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { chat, compactWith, conversation } from '../seeds/support.ts'

const MESSAGES = conversation(...chat(100))

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})
afterAll(() => test.app.close())

/** The target as it stands in the JSON text. */
function compact(target: string) {
  return test.app.inject({
    method: 'POST',
    url: '/compact',
    headers: { 'content-type': 'application/json' },
    payload: `{"messages":${JSON.stringify(MESSAGES)},"targetTokens":${target}}`,
  })
}

describe('W8: a target over HTTP', () => {
  it.each(['0', '-0', '-5', '0.5', '"5000"', 'null', 'true', '[]', '1e400', '-1e400'])(
    'of %s is refused, with the place',
    async (target) => {
      const problem = expectProblem(await compact(target), 'invalid-request')
      expect(problem.errors).toMatchObject([{ pointer: '/targetTokens' }])
    },
  )

  it.each(['NaN', 'Infinity', 'undefined'])('of %s is no JSON', async (target) => {
    expectProblem(await compact(target), 'invalid-json')
  })

  it('that is left out comes from the window, and is told', async () => {
    const payload = { messages: MESSAGES, contextWindow: 4_000 }
    const body = (await test.app.inject({ method: 'POST', url: '/compact', payload })).json()
    expect(body.budget.targetTokens).toEqual({ value: expect.any(Number), source: 'computed' })
    expect(body).toMatchObject({ outcome: 'compacted', fits: true })
  })
})

describe('W8: behind the schema', () => {
  it.each([0, -5, Number.NaN])('a target of %d destroys nothing either', async (targetTokens) => {
    const result = await compactWith({ messages: MESSAGES, targetTokens })
    expect(result.messages).toBe(MESSAGES)
    expect(result.report).toMatchObject({ outcome: 'unchanged', fits: false })
  })
})
