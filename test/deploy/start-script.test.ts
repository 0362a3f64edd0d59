/** What start.sh says where it cannot start anything. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pathInRepository } from './support/deploy-files.ts'

async function runScript(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn(pathInRepository('start.sh'), commandLine, {
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

describe('start.sh', () => {
  test('names another port where its own is taken, and announces nobody else as itself', async () => {
    const other = createServer((_, response) => response.end('{"ready":true}'))
    onTestFinished(() => void other.close())
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stdout, stderr } = await runScript([], { PRECIS_PORT: `${port}` })
    expect(stderr).toBe(
      `start.sh: port ${port} is taken; for another one: PRECIS_PORT=8090 ./start.sh\n`,
    )
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  test('refuses an argument that it does not know', async () => {
    const { code, stderr } = await runScript(['--dmeo'])
    expect(stderr).toContain('unknown argument --dmeo; there is only --demo')
    expect(code).toBe(1)
  })
})
