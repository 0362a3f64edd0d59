/** POST /check over HTTP: a request that a provider refused is posted, its violations come back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/engine/errors.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

interface CheckAnswer {
  readonly format: string
  readonly valid: boolean
  readonly violations: readonly { rule: string; pointer: string; detail: string; source?: string }[]
  readonly violationCount: number
  readonly warnings: readonly { code: string }[]
}

let service: RunningService

beforeAll(async () => {
  service = await startService({ PRECIS_DECIDE_WIRE: 'none' })
})
afterAll(() => service.close())

const check = (body: object): Promise<CheckAnswer> => service.ask<CheckAnswer>('/check', body)

const orphan = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'late' })

describe('a conversation that is posted to be checked', () => {
  it('is valid when no rule is broken, whatever else of the request comes with it', async () => {
    const answer = await check({
      model: 'gpt-4o',
      temperature: 0.2,
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(answer).toMatchObject({ valid: true, violations: [], violationCount: 0 })
  })

  it('has each violation told with its rule, its place, and where the provider says so', async () => {
    const answer = await check({
      messages: [
        { role: 'user', content: 'Hello' },
        orphan('call_1'),
        { role: 'user', content: '' },
      ],
    })
    expect(answer).toMatchObject({ format: 'openai-chat', valid: false, violationCount: 2 })
    expect(answer.violations.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['empty-content', '/messages/2'],
      ['result-without-call', '/messages/1'],
    ])
    for (const { source } of answer.violations) expect(source).toMatch(/^OpenAI/)
  })

  it('has what reading would refuse in the same list', async () => {
    const answer = await check({
      messages: [{ role: 'user', content: [{ type: 'text' }] }, orphan('call_1')],
    })
    expect(answer.violations.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['result-without-call', '/messages/1'],
      ['text-string', '/messages/0/content/0/text'],
    ])
  })

  it('has a hundred violations listed and all of them counted', async () => {
    const answer = await check({
      messages: [
        { role: 'user', content: 'Hello' },
        ...Array.from({ length: 150 }, (_, number) => orphan(`call_${number}`)),
      ],
    })
    expect(answer.violations).toHaveLength(100)
    expect(answer.violationCount).toBe(150)
  })

  it('has the caching of the request itself counted among its breakpoints', async () => {
    const cache_control = { type: 'ephemeral' }
    const blocks = (count: number) =>
      Array.from({ length: count }, () => ({ type: 'text', text: 'x', cache_control }))
    const request = (count: number) =>
      check({ cache_control, system: blocks(count), messages: [{ role: 'user', content: 'x' }] })
    expect(await request(3)).toMatchObject({ format: 'anthropic-messages', valid: true })
    expect(await request(4)).toMatchObject({
      violations: [{ rule: 'too-many-cache-breakpoints', pointer: '/cache_control' }],
    })
  })

  it('is checked as the format that is named', async () => {
    const messages = [{ role: 'assistant', content: 'Hello' }]
    expect(await check({ format: 'openai-chat', messages })).toMatchObject({ valid: true })
    expect(await check({ format: 'anthropic-messages', messages })).toMatchObject({
      valid: false,
      violations: [{ rule: 'first-role', pointer: '/messages/0/role' }],
    })
  })

  it.each<[string, object, ErrorCode, [string, string]]>([
    ['is missing', { model: 'gpt-4o' }, 'invalid-request', ['/messages', 'required']],
    ['is empty', { messages: [] }, 'empty-conversation', ['/messages', 'min-items']],
    [
      'stands in two places',
      { messages: [{ role: 'user', content: 'a' }], input: 'a' },
      'invalid-request',
      ['/input', 'one-conversation'],
    ],
    [
      'is of a format that nobody knows',
      { format: 'smoke-signals', messages: [{ role: 'user', content: 'a' }] },
      'unknown-format',
      ['/format', 'known-format'],
    ],
  ])('that %s is a problem that names the place', async (_case, body, code, [pointer, rule]) => {
    const response = await service.send('/check', { method: 'POST', body })
    expect(JSON.parse(response.body)).toMatchObject({ code, errors: [{ pointer, rule }] })
    expect(response.statusCode).toBe(ERRORS[code].status)
  })

  it('is counted by format and result', async () => {
    const labels = { format: 'openai-chat', valid: 'false' }
    const before = (await service.metrics()).sum('precis_checks_total', labels)
    await check({ messages: [orphan('call_1')] })
    expect((await service.metrics()).sum('precis_checks_total', labels)).toBe(before + 1)
  })
})
