import { describe, expect, it } from 'vitest'
import { readAskedPath } from '../../../src/proxy/asked-path.ts'
import { createUpstreamUrl } from '../../../src/proxy/upstream-url.ts'

describe('the URL of a call at its upstream', () => {
  it.each([
    ['openai', 'https://api.openai.com', '/v1/chat/completions?x=1', '/v1/chat/completions?x=1'],
    ['openai', 'https://api.openai.com/v1', '/v1/chat/completions', '/v1/chat/completions'],
    ['openai', 'https://api.openai.com/v1/', '/v1/responses', '/v1/responses'],
    ['openai', 'https://openrouter.ai/api/v1', '/v1/chat/completions', '/api/v1/chat/completions'],
    ['openai', 'https://host/api/paas/v4', '/v1/chat/completions', '/api/paas/v4/chat/completions'],
    ['openai', 'https://host/v1beta/openai', '/v1/models', '/v1beta/openai/models'],
    ['anthropic', 'https://api.anthropic.com', '/v1/messages', '/v1/messages'],
    ['anthropic', 'https://api.anthropic.com/v1', '/v1/messages', '/v1/messages'],
    [
      'anthropic',
      'https://host/anthropic',
      '/v1/messages?beta=true',
      '/anthropic/v1/messages?beta=true',
    ],
    [
      'gemini',
      'https://host',
      '/v1beta/models/m:generateContent',
      '/v1beta/models/m:generateContent',
    ],
    ['gemini', 'https://host/v1beta', '/v1beta/models/m:x', '/v1beta/models/m:x'],
    ['gemini', 'https://host/v1beta1', '/v1beta1/projects/p', '/v1beta1/projects/p'],
    ['gemini', 'https://host/v1beta', '/v1/models/m:x', '/v1beta/v1/models/m:x'],
    ['gemini', 'https://host/v1', '/v1beta/models/m:x', '/v1/v1beta/models/m:x'],
  ] as const)('%s at %s: %s is %s', (name, base, asked, path) => {
    expect(createUpstreamUrl(name, base).pathFor(asked)).toBe(path)
  })

  it('never leaves the origin that was configured', () => {
    const { origin, pathFor } = createUpstreamUrl('openai', 'https://api.openai.com/v1')
    expect(new URL(pathFor('/v1//evil.example/x'), origin).origin).toBe(origin)
  })
})

describe('the path that a caller asks for', () => {
  it.each([
    ['/v1/models?a=b&c=%2F', '/v1/models?a=b&c=%2F'],
    ['http://evil.example/v1/models?a', '/v1/models?a'],
    ['https://evil.example', '/'],
    ['/v1/models/..x', '/v1/models/..x'],
    ['/v1/models?up=../..', '/v1/models?up=../..'],
  ])('%s is %s', (target, path) => {
    expect(readAskedPath(target)).toBe(path)
  })

  it.each(['/v1/../admin', '/v1/%2e%2E/admin', '/v1/.%2e', '/v1/..\\admin', 'http://x/v1/..'])(
    'is refused where it climbs: %s',
    (target) => {
      expect(() => readAskedPath(target)).toThrow(
        expect.objectContaining({ code: 'invalid-request' }),
      )
    },
  )
})
