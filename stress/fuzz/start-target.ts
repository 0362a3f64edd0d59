import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildService, builtModule } from '../../bench/lib/built-service.ts'
import { type LlmServer, startLlmServer } from '../../test/helpers/llm-servers/start-llm-server.ts'
import { MODEL_WINDOWS } from './own-routes.ts'
import { type FuzzedProcess, startProcess } from './start-process.ts'

/** Above what a valid conversation has, and below the texts that mutations make. */
export const BODY_LIMIT_BYTES = 1024 * 1024

/** Small enough that a fuzzer goes past each of them at little cost. */
const LIMITS = {
  PRECIS_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES),
  PRECIS_MAX_MESSAGES: '1000',
  PRECIS_REQUEST_DEADLINE_MS: '20000',
  // Both ways of working on a body have to be met.
  PRECIS_WORKER_MIN_BYTES: '65536',
  // The fuzzer itself is what keeps this machine busy.
  PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
} as const

export interface FuzzTarget {
  readonly service: FuzzedProcess
  readonly upstream: LlmServer
  readonly close: () => Promise<number | null>
}

/** Time that the service gives a request to arrive: its deadline, and a little (src/app.ts). */
export const REQUEST_MS = Number(LIMITS.PRECIS_REQUEST_DEADLINE_MS) + 5_000

/**
 * The service in a process of its own, with all that it can have in front of a provider.
 *
 * @param file what is run in place of the compiled service
 */
export async function startTarget(file = build()): Promise<FuzzTarget> {
  const upstream = await startLlmServer()
  const service = await startProcess(file, {
    ...LIMITS,
    PRECIS_MODEL_WINDOWS: MODEL_WINDOWS,
    PRECIS_UPSTREAM_OPENAI_URL: upstream.origin,
    PRECIS_UPSTREAM_ANTHROPIC_URL: upstream.origin,
    PRECIS_UPSTREAM_GEMINI_URL: upstream.origin,
  })
  return {
    service,
    upstream,
    close: async () => {
      const code = await service.stop()
      await upstream.close()
      return code
    },
  }
}

function build(): string {
  buildService()
  buildPage()
  return fileURLToPath(builtModule('server.ts'))
}

/** The inspector, beside the compiled code, where the service looks for it. */
function buildPage(): void {
  const folder = fileURLToPath(builtModule('ui'))
  if (existsSync(`${folder}/index.html`)) return
  const script = fileURLToPath(new URL('../../scripts/build-ui.mjs', import.meta.url))
  execFileSync(process.execPath, [script, folder], { stdio: 'inherit' })
}
