/** The examples are run as their README says, each in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLES = readdirSync(`${ROOT}/examples/gateways`).filter((name) => name.endsWith('.ts'))

it.each(EXAMPLES)(
  '%s comes further through Precis than without it',
  async (name) => {
    const { code, output } = await run(`examples/gateways/${name}`)
    const [directly = '', through = ''] = output.split('Through Precis:\n')
    expect(directly).toMatch(/ requests, the largest of \d+ tokens, then an error: /)
    expect(through).toMatch(/ 31 requests, the largest of \d+ tokens, then an answer: /)
    expect(code).toBe(0)
  },
  2 * START_PROCESS_MS,
)

it('names each of its programs in its README', () => {
  const readme = readFileSync(`${ROOT}/examples/gateways/README.md`, 'utf8')
  const named = [...readme.matchAll(/npx tsx examples\/gateways\/(\S+\.ts)/g)].map(
    ([, name]) => name,
  )
  expect(named.toSorted()).toEqual(EXAMPLES.toSorted())
})

async function run(file: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk)
  })
  const [code] = await once(child, 'close')
  return { code, output }
}
