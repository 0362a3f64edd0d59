import type { LlmRoute } from './types.ts'

const PLAIN: Readonly<Record<string, LlmRoute>> = {
  '/v1/chat/completions': { api: 'openai-chat', action: 'generate' },
  '/v1/responses': { api: 'openai-responses', action: 'generate' },
  '/v1/messages': { api: 'anthropic-messages', action: 'generate' },
  '/v1/messages/count_tokens': { api: 'anthropic-messages', action: 'count' },
}

const GEMINI =
  /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

/** The route of a POST; undefined where no provider answers. */
export function routeOf(url: URL): LlmRoute | undefined {
  const plain = PLAIN[url.pathname]
  if (plain !== undefined) return plain
  const [, model, action] = GEMINI.exec(url.pathname) ?? []
  if (model === undefined) return undefined
  if (action === 'countTokens') return { api: 'gemini', action: 'count', model }
  if (action === 'generateContent') return { api: 'gemini', action: 'generate', model }
  const stream = url.searchParams.get('alt') === 'sse' ? 'sse' : 'json-array'
  return { api: 'gemini', action: 'generate', model, stream }
}
