import { describe, expect, it } from 'vitest'
import { generationOf, outputLimitOf } from '../../../src/proxy/surface.ts'

describe('which calls generate', () => {
  it.each([
    ['/v1/chat/completions', 'openai-chat', undefined],
    ['/v1/responses?stream=true', 'openai-responses', undefined],
    ['/v1/messages?beta=true', 'anthropic-messages', undefined],
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'gemini', 'gemini-2.5-pro'],
    ['/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'gemini', 'gemini-2.5-pro'],
    ['/v1beta/tunedModels/mine:generateContent', 'gemini', 'mine'],
    ['/v1/projects/p/locations/l/publishers/google/models/g%2D2:generateContent', 'gemini', 'g-2'],
    ['/v1beta/models/%zz:generateContent', 'gemini', '%zz'],
  ] as const)('%s', (url, format, model) => {
    expect(generationOf('POST', url)).toEqual({ format, model })
  })

  it.each([
    ['POST', '/v1/messages/count_tokens'],
    ['POST', '/v1beta/models/gemini-2.5-pro:countTokens'],
    ['POST', '/v1/embeddings'],
    ['GET', '/v1/responses'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['POST', '/v1/chat/completions/'],
    ['POST', '/constructor'],
  ])('not %s %s', (method, url) => {
    expect(generationOf(method, url)).toBeUndefined()
  })
})

describe('how long the answer may be', () => {
  it.each([
    [{ max_tokens: 10 }, 10],
    [{ max_tokens: 10, max_completion_tokens: 20 }, 20],
    [{ max_output_tokens: 30 }, 30],
    [{ generationConfig: { maxOutputTokens: 40 } }, 40],
    [{ generation_config: { max_output_tokens: 50 } }, 50],
    [{ max_tokens: null, generationConfig: [] }, undefined],
    [{ max_tokens: -1 }, undefined],
    [{ max_tokens: '10' }, undefined],
    [{}, undefined],
  ])('%j: %s', (body, tokens) => {
    expect(outputLimitOf(body)).toBe(tokens)
  })
})
