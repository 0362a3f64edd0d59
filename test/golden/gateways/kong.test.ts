/** Kong's AI Prompt Compressor and its compress service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptCompressed } from '../../helpers/gateway-rules/kong-compressor.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { type GoldenRequest, KONG_BODY, kongCompressPrompt, kongJsonRpc } from './requests.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService({ PRECIS_DECIDE_WIRE: 'none' })
})
afterAll(() => service.close())

const replay = ({ path, headers, body }: GoldenRequest) =>
  service.send(path, { method: 'POST', headers, body })

describe('Kong’s AI Prompt Compressor', () => {
  it('gets each text back, brought to the rate of its range', async () => {
    const { statusCode, body } = await replay(kongCompressPrompt)
    expect(statusCode).toBe(200)
    const texts = acceptCompressed(body, KONG_BODY.text)
    const long = texts.filter(({ compressor_results: results }) => results.compress_value === 0.3)
    expect(long.length).toBeGreaterThan(2)
    for (const { compressor_results: results } of long) {
      const { original_token_count: before, compress_token_count: after } = results
      expect(Number(after)).toBeLessThanOrEqual(Number(before) * 0.3)
      expect(Number(after)).toBeGreaterThan(Number(before) * 0.2)
    }
    expect(Object.keys(texts[0]?.compressor_results ?? {})).toEqual([
      'msg_id',
      'original_token_count',
      'compress_token_count',
      'save_token_count',
      'compress_value',
      'compress_type',
      'compressor_model',
      'information',
    ])
  })

  it('gets the same over JSON-RPC', async () => {
    const plain = JSON.parse((await replay(kongCompressPrompt)).body)
    const { statusCode, body } = await replay(kongJsonRpc)
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { text: plain.text, duration: expect.any(Number) },
    })
  })

  it('finds the service in order', async () => {
    expect(await service.send('/status')).toMatchObject({
      statusCode: 200,
      body: '{"status":"ok"}',
    })
  })

  it('is told what is wrong with a request, in its own words', async () => {
    const body = { ...KONG_BODY, compress_type: 'summary' }
    const answer = await replay({ ...kongCompressPrompt, body })
    expect(answer.statusCode).toBe(400)
    expect(JSON.parse(answer.body)).toEqual({
      error: { message: expect.stringContaining('/compress_type') },
    })
  })
})
