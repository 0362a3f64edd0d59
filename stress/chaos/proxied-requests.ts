import { createHash } from 'node:crypto'
import { PROXIED_FORMATS, REQUESTS } from '../../test/helpers/proxy/conversations.ts'

export interface ProxiedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly isOverBudget: boolean
  /** What the upstream of these tests calls an answer to these very bytes. */
  readonly upstreamId: string
}

/** Of every model here, in tokens: a small one, so that conversations of 40 kB have outgrown it. */
export const WINDOW = 20_000

const MODELS = ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro']

/** For a service that is to know the windows. */
export const WINDOWS_ENVIRONMENT = {
  PRECIS_MODEL_WINDOWS: JSON.stringify(
    Object.fromEntries(
      MODELS.map((model) => [model, { contextWindow: WINDOW, maxOutputTokens: 1_000 }]),
    ),
  ),
} as const

/** One of each kind is enough: a client has the key of its provider and no other. */
const CREDENTIALS = {
  'openai-chat': { authorization: 'Bearer test' },
  'openai-responses': { authorization: 'Bearer test' },
  'anthropic-messages': { 'x-api-key': 'test', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'test' },
} as const

/**
 * Pairs of turns, each of 2 kB: within the budget twice, then over it, and once above the default of
 * PRECIS_WORKER_MIN_BYTES.
 */
const PAIRS = [4, 60, 8, 140]

/** A request for each caller: all APIs, within and over their budgets, every other one streamed. */
export function createProxiedRequests(callers: number): readonly ProxiedRequest[] {
  return Array.from({ length: callers }, (_, caller) => {
    const format = PROXIED_FORMATS[caller % PROXIED_FORMATS.length] ?? 'openai-chat'
    // Each round moves on by one, so that every API meets every size.
    const round = Math.floor(caller / PROXIED_FORMATS.length)
    const pairs = PAIRS[(caller + round) % PAIRS.length] ?? 4
    const isStream = caller % 3 === 0
    const { path, body } = REQUESTS[format]
    const isGemini = format === 'gemini'
    const posted = { ...body(pairs), ...(isStream && !isGemini && { stream: true }) }
    const bytes = Buffer.from(JSON.stringify(posted))
    return {
      path:
        isStream && isGemini
          ? path.replace(':generateContent', ':streamGenerateContent?alt=sse')
          : path,
      headers: CREDENTIALS[format],
      body: bytes,
      isOverBudget: pairs > 40,
      upstreamId: `req_${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`,
    }
  })
}
