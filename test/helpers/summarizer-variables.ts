import type { SummarizerServer } from './summarizer-server.ts'

export const SUMMARIZER_DIALECTS = ['openai', 'anthropic'] as const
export type Dialect = (typeof SUMMARIZER_DIALECTS)[number]

/** The variables that point a service at a test server. */
export function summarizerVariables(
  dialect: Dialect,
  server: SummarizerServer,
  timeoutMs: number,
): Record<string, string> {
  return {
    PRECIS_SUMMARIZER_DIALECT: dialect,
    PRECIS_SUMMARIZER_URL: dialect === 'openai' ? server.openaiUrl : server.anthropicUrl,
    PRECIS_SUMMARIZER_API_KEY: server.rules.apiKey,
    PRECIS_SUMMARIZER_MODEL: server.rules.model,
    PRECIS_SUMMARIZER_TIMEOUT_MS: String(timeoutMs),
  }
}

/** What a summariser that does its work would write about a sample conversation. */
export const GOOD_SUMMARY = [
  '1. Primary Request and Intent: build every step of the project and say when it is done.',
  '2. Constraints and Preferences: none.',
  '6. Problem Solving: all builds are done, and their outputs were read.',
  '8. Current Work: the most recent remarks are being answered.',
].join('\n')
