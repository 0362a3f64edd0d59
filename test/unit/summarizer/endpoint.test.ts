import { describe, expect, it } from 'vitest'
import { summarizerEndpoint } from '../../../src/summarizer/endpoint.ts'

describe('the endpoint behind a configured URL', () => {
  it.each([
    ['openai', 'https://api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    ['openai', 'https://api.openai.com/', 'https://api.openai.com/v1/chat/completions'],
    ['openai', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['openai', 'http://127.0.0.1:4000/v1/', 'http://127.0.0.1:4000/v1/chat/completions'],
    ['openai', 'https://host/v1beta/openai', 'https://host/v1beta/openai/chat/completions'],
    ['openai', 'https://host/v1/chat/completions', 'https://host/v1/chat/completions'],
    ['openai', 'https://host/v1?api-version=1', 'https://host/v1/chat/completions?api-version=1'],
    ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['anthropic', 'https://proxy/anthropic/v1', 'https://proxy/anthropic/v1/messages'],
    ['anthropic', 'https://proxy/v1/messages', 'https://proxy/v1/messages'],
  ] as const)('for %s takes %s as %s', (dialect, url, endpoint) => {
    expect(summarizerEndpoint(dialect, url)).toBe(endpoint)
  })

  it('refuses what is no URL', () => {
    expect(() => summarizerEndpoint('openai', 'not a url')).toThrow(TypeError)
  })
})
