import { describe, expect, it } from 'vitest'
import { answerJsonRpc, type MethodResult } from '../../../src/http/gateways/json-rpc.ts'

const METHODS = new Map([
  ['double', (params: unknown): MethodResult => ({ result: Number(params) * 2 })],
  ['refuse', (): MethodResult => ({ error: { code: -32_602, message: 'no' } })],
])

const ask = (body: unknown) => answerJsonRpc(body, METHODS)
const call = (id: unknown, method = 'double', params: unknown = 4) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('answerJsonRpc', () => {
  it.each([7, 'seven', null])('answers a request under its id %j', (id) => {
    expect(ask(call(id))).toEqual({ jsonrpc: '2.0', id, result: 8 })
  })

  it('answers a batch in its order, and what is wrong in it too', () => {
    expect(ask([call(1), 5, call(2, 'refuse'), call(undefined), call(3, 'triple')])).toEqual([
      { jsonrpc: '2.0', id: 1, result: 8 },
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 2, error: { code: -32_602, message: 'no' } },
      {
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32_601, message: expect.stringContaining('double, refuse') },
      },
    ])
  })

  it('answers nothing to notifications', () => {
    expect(ask(call(undefined))).toBeUndefined()
    expect(ask([call(undefined), call(undefined)])).toBeUndefined()
  })

  it.each([
    ['an empty batch', []],
    ['a batch of more than a thousand', Array.from({ length: 1_001 }, () => call(1))],
    ['no object', 'double'],
    ['another version', { ...call(1), jsonrpc: '1.0' }],
    ['a method that is no text', { ...call(1), method: 5 }],
    ['an id that is none', call({ a: 1 })],
  ])('calls %s an invalid request', (_name, body) => {
    expect(ask(body)).toMatchObject({ id: null, error: { code: -32_600 } })
  })
})
