/** What start.sh says where it cannot start anything. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { pathInRepository } from './support/deploy-files.ts'

async function runScript(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  script = pathInRepository('start.sh'),
) {
  const child = spawn(script, commandLine, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** A folder that looks built, whose server prints one of its variables, with such a file of them. */
async function startWith(file: string, environment: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'precis-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['node_modules', 'dist/ui'])
    await mkdir(join(folder, name), { recursive: true })
  const files = {
    'package-lock.json': '{}',
    'node_modules/.package-lock.json': '{}',
    'dist/ui/index.html': '',
    'dist/server.js': 'console.log(process.env.PRECIS_LOG_LEVEL)',
    '.env': file,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  await copyFile(pathInRepository('start.sh'), join(folder, 'start.sh'))
  return runScript([], environment, join(folder, 'start.sh'))
}

async function takenPort(): Promise<number> {
  const other = createServer((_, response) => response.end('{"ready":true}'))
  onTestFinished(() => void other.close())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  return (other.address() as AddressInfo).port
}

describe('start.sh', () => {
  test('names another port where its own is taken, and announces nobody else as itself', async () => {
    const port = await takenPort()
    const { code, stdout, stderr } = await runScript([], { PRECIS_PORT: `${port}` })
    expect(stderr).toBe(
      `start.sh: port ${port} is taken; for another one: PRECIS_PORT=8090 ./start.sh\n`,
    )
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  test('takes variables out of .env, where the environment does not say otherwise', async () => {
    const file = `# of this machine\nPRECIS_LOG_LEVEL=warn\nPRECIS_PORT=${await freePort()}\n`
    expect((await startWith(file)).stdout).toBe('warn\n')
    expect((await startWith(file, { PRECIS_LOG_LEVEL: 'error' })).stdout).toBe('error\n')
  })

  test('looks at the port that .env names', async () => {
    const port = await takenPort()
    const { code, stderr } = await startWith(`PRECIS_PORT=${port}\n`)
    expect(stderr).toContain(`start.sh: port ${port} is taken;`)
    expect(code).toBe(1)
  })

  test('refuses an argument that it does not know', async () => {
    const { code, stderr } = await runScript(['--dmeo'])
    expect(stderr).toContain('unknown argument --dmeo; there is only --demo')
    expect(code).toBe(1)
  })
})
