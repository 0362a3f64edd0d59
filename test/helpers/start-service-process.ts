import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createServiceClient } from './service-client.ts'
import type { RunningService } from './start-service.ts'

export interface ServiceProcess extends RunningService {
  readonly pid: number
  /** Whether the process has ended, by itself or by `stop`. */
  readonly hasEnded: () => boolean
  /** Sends SIGTERM; resolves to the exit code, null where a signal ended it. */
  readonly stop: () => Promise<number | null>
  /** What it ended by: its exit code, or null and a signal. */
  readonly end: Promise<ProcessEnd>
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServiceProcessOptions {
  /** File that is run; TypeScript is run through tsx. */
  readonly file?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Where it runs. Default: the root of the repository. */
  readonly folder?: string
  /** Flags of Node.js. */
  readonly flags?: readonly string[]
}

/** By its place: the process may run elsewhere. */
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Time that the process gets to finish before it is killed, on a busy machine; below the time that a hook gets. */
const STOP_MS = 20_000

/** For hooks that start a process: compiling on the fly takes a while on a busy machine. */
export const START_PROCESS_MS = 60_000

/** The service as a process of its own, of which everything on stdout and stderr is kept. */
export async function startServiceProcess({
  file = fileURLToPath(new URL('../../src/server.ts', import.meta.url)),
  environment = {},
  folder = fileURLToPath(new URL('../..', import.meta.url)),
  flags = [],
}: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PRECIS_'))
  const child = spawn(
    process.execPath,
    [...flags, ...(file.endsWith('.ts') ? ['--import', TSX] : []), file],
    {
      cwd: folder,
      env: {
        ...Object.fromEntries(inherited),
        PRECIS_HOST: '127.0.0.1',
        PRECIS_PORT: '0',
        PRECIS_LOG_LEVEL: 'trace',
        PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
    })
  }
  let ended = false
  const end = once(child, 'close').then(([code, signal]): ProcessEnd => {
    ended = true
    return { code, signal }
  })
  const exit = end.then(({ code }) => code)
  // A line whose end has not come yet is none.
  const logLines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  async function listening(): Promise<string> {
    for (;;) {
      const line = text.includes('"listening"')
        ? logLines().find(({ msg }) => msg === 'listening')
        : undefined
      if (line !== undefined) return String(line.url)
      const more = once(child.stdout, 'data').then(() => true)
      const over = exit.then(() => false)
      if (!(await Promise.race([more, over]))) throw new Error(`it did not start: ${text}`)
    }
  }

  const url = await listening()
  const client = createServiceClient(url)
  const stop = async () => {
    await client.close()
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    const code = await exit
    clearTimeout(timer)
    return code
  }
  return {
    ...client,
    url,
    pid: child.pid ?? 0,
    end,
    logText: () => text,
    logLines,
    hasEnded: () => ended,
    stop,
    close: async () => {
      await stop()
    },
  }
}
