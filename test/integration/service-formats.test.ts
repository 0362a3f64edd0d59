/** The formats whose conversation is not in `messages`, and the AI SDK's, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { findFaults, listMemberOf, type WireFormat } from '../helpers/wire-rules/index.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const LONG = 'A line of output that nobody reads twice.\n'.repeat(60)
const turns = (turn: (number: number) => object[]): object[] =>
  Array.from({ length: 12 }, (_, number) => turn(number)).flat()

const REQUESTS: Partial<Record<WireFormat, object>> = {
  'openai-responses': {
    model: 'gpt-5.1',
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'Build it.' },
      ...turns((n) => [
        { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: 'c2VhbGVk' },
        { type: 'function_call', call_id: `c${n}`, name: 'run', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${n}`, output: LONG },
      ]),
      { role: 'user', content: 'And now?' },
    ],
  },
  gemini: {
    model: 'gemini-3-pro',
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Build it.' }] },
      ...turns((n) => [
        {
          role: 'model',
          parts: [
            { functionCall: { id: `f${n}`, name: 'run', args: {} }, thoughtSignature: 'c2ln' },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: `f${n}`, name: 'run', response: { output: LONG } } }],
        },
      ]),
      { role: 'user', parts: [{ text: 'And now?' }] },
    ],
  },
  'ai-sdk': {
    system: 'Be brief.',
    tools: { run: { description: 'Runs it.', inputSchema: { type: 'object' } } },
    messages: [
      { role: 'user', content: 'Build it.' },
      ...turns((n) => [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'tool-call', toolCallId: `c${n}`, toolName: 'run', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: `c${n}`,
              toolName: 'run',
              output: { type: 'text', value: LONG },
            },
          ],
        },
      ]),
      { role: 'user', content: 'And now?' },
    ],
  },
}

interface Answer extends Readonly<Record<string, unknown>> {
  readonly format: string
  readonly fits: boolean
  readonly outcome: string
  readonly tokensBefore: number
}

describe.each(Object.entries(REQUESTS) as [WireFormat, object][])('%s', (format, request) => {
  const list = listMemberOf(request)

  it('is recognised, brought to its target, and answered under its own name', async () => {
    const { tokensBefore } = await service.ask<Answer>('/compact', {
      ...request,
      targetTokens: 1e8,
    })
    const targetTokens = Math.floor(tokensBefore / 2)
    const answer = await service.ask<Answer>('/compact', { ...request, targetTokens })
    expect(answer).toMatchObject({ format, outcome: 'compacted', fits: true, violationCount: 0 })
    const after = { ...request, [list]: answer[list] }
    expect(findFaults(format, after)).toEqual([])
    expect(await service.ask('/check', after)).toMatchObject({ format, valid: true })
    const posted = JSON.stringify(request).length
    expect(JSON.stringify(after).length).toBeLessThan(posted * 0.75)
  })

  it('has a budget', async () => {
    const budget = await service.ask<{ history: { value: number } }>('/budget', request)
    expect(budget.history.value).toBeGreaterThan(1_000)
  })

  it('comes back byte for byte where nothing is to be done', async () => {
    const body = `{"targetTokens":100000000,${JSON.stringify(request, null, 1).slice(1)}`
    const { body: answer } = await service.send('/compact', { method: 'POST', body })
    const posted = body.slice(body.indexOf(`"${list}":`) + list.length + 3)
    const start = answer.lastIndexOf(`"${list}":`) + list.length + 3
    // Up to the bracket that closes the list; what follows belongs to the request.
    const returned = answer.slice(start, -1)
    expect(posted.trimStart().startsWith(returned)).toBe(true)
    expect(returned.length).toBeGreaterThan(1_000)
  })
})

describe('an input that is a text', () => {
  it('is one message, and comes back as it is', async () => {
    const body = '{"input":"\\u0048ello, and 1.0", "targetTokens": 100}'
    const { body: answer, statusCode } = await service.send('/compact', { method: 'POST', body })
    expect(statusCode).toBe(200)
    expect(answer).toContain('"input":"\\u0048ello, and 1.0"')
    expect(JSON.parse(answer)).toMatchObject({ format: 'openai-responses', outcome: 'unchanged' })
  })
})

describe('messages of a page', () => {
  it('are refused by name, with what to do', async () => {
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const { body, statusCode } = await service.send('/compact', {
      method: 'POST',
      body: { messages },
    })
    expect(statusCode).toBe(422)
    expect(JSON.parse(body)).toMatchObject({
      code: 'unknown-format',
      errors: [{ pointer: '/messages/0', rule: 'ui-message' }],
    })
    expect(body).toContain('convertToModelMessages')
  })
})
