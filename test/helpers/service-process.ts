import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServiceProcess {
  readonly child: ChildProcess
  readonly logText: () => string
  readonly logLines: () => Record<string, unknown>[]
  /** The first log line with this message; fails when the process ends without it. */
  readonly logLine: (message: string) => Promise<Record<string, unknown>>
  /** Base URL, from the line that says where it listens. */
  readonly url: () => Promise<string>
  readonly exit: Promise<number | null>
}

/** Runs a TypeScript file of this repository as a process of its own. */
export function startProcess(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): ServiceProcess {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PRECIS_'))
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      PRECIS_HOST: '127.0.0.1',
      PRECIS_PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  // 'close' comes when the output has been read to its end, 'exit' may come before.
  const exit = once(child, 'close').then(([code]) => code as number | null)
  const logLines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  async function logLine(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const line = logLines().find(({ msg }) => msg === message)
      if (line !== undefined) return line
      const next = child.stdout === null ? undefined : once(child.stdout, 'data').then(() => true)
      const ended = exit.then(() => false)
      if (!(await Promise.race([next, ended]))) throw new Error(`ended without "${message}"`)
    }
  }

  return {
    child,
    logText: () => text,
    logLines,
    logLine,
    url: async () => String((await logLine('listening')).url),
    exit,
  }
}
