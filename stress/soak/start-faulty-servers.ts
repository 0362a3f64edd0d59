import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SYSTEM_ONE_KEY } from '../../test/helpers/decide-servers/system-one-server.ts'
import type { FaultCommand, FaultyUrls } from './faulty-servers.ts'

export interface FaultyServers {
  /** Resolves once it has been done. */
  readonly tell: (command: FaultCommand) => Promise<void>
  /** What points a service at them. */
  readonly environment: Readonly<Record<string, string>>
  readonly end: () => Promise<void>
}

/** Short, so that many requests meet each fault. */
const TIMEOUT_MS = '1000'
const UPSTREAM_TIMEOUT_MS = '3000'

/** Tokens; less than the proxied conversations have. */
const WINDOW = 8_000

/** See `faulty-servers.ts`. */
export async function startFaultyServers(): Promise<FaultyServers> {
  const child = fork(fileURLToPath(new URL('faulty-servers.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  const [urls] = (await once(child, 'message')) as [FaultyUrls]
  return {
    tell: async (command) => {
      const done = once(child, 'message')
      child.send(command)
      await done
    },
    environment: {
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: urls.decide,
      PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      PRECIS_DECIDE_TIMEOUT_MS: TIMEOUT_MS,
      PRECIS_SUMMARIZER_DIALECT: 'openai',
      PRECIS_SUMMARIZER_URL: urls.summarizer,
      PRECIS_SUMMARIZER_API_KEY: urls.summarizerKey,
      PRECIS_SUMMARIZER_MODEL: urls.summarizerModel,
      PRECIS_SUMMARIZER_TIMEOUT_MS: TIMEOUT_MS,
      PRECIS_UPSTREAM_OPENAI_URL: urls.provider,
      PRECIS_UPSTREAM_ANTHROPIC_URL: urls.provider,
      PRECIS_UPSTREAM_GEMINI_URL: urls.provider,
      PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS: UPSTREAM_TIMEOUT_MS,
      PRECIS_UPSTREAM_IDLE_TIMEOUT_MS: UPSTREAM_TIMEOUT_MS,
      PRECIS_MODEL_WINDOWS: JSON.stringify({
        'gpt-4o': { contextWindow: WINDOW },
        'claude-sonnet-4-5': { contextWindow: WINDOW },
        'gemini-2.5-pro': { contextWindow: WINDOW },
      }),
    },
    end: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
