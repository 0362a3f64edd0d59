import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pathInRepository } from './generated-files.ts'

export interface BuiltService {
  readonly url: string
  /** Sends SIGTERM and waits for the end. */
  readonly stop: () => Promise<number | null>
}

/** Starts `dist/server.js` on a free port, with every other setting at its default. */
export async function startBuiltService(): Promise<BuiltService> {
  const server = pathInRepository('dist/server.js')
  if (!existsSync(server)) throw new Error('dist/server.js is missing; run: npm run build')
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PRECIS_'))
  const child = spawn(process.execPath, ['--enable-source-maps', server], {
    env: { ...Object.fromEntries(inherited), PRECIS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const url = await Promise.race([
    listeningUrl(child.stdout),
    exit.then((code) => {
      throw new Error(`the service ended with code ${code} before it listened`)
    }),
  ])
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return exit
    },
  }
}

async function listeningUrl(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  return new Promise((resolve) => {
    // Reading goes on after the line that is waited for, or the pipe would fill up.
    lines.on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
      if (msg === 'listening' && url !== undefined) resolve(url)
    })
  })
}
