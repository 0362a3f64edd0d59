/** P12 when the process or one of its threads crashes on what it was given. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { type ServiceProcess, startServiceProcess } from '../helpers/start-service-process.ts'

const TEST_MS = 90_000
const KEYS = {
  PRECIS_API_KEYS: plant('api-key'),
  PRECIS_DECIDE_API_KEY: plant('decide-key'),
  PRECIS_SUMMARIZER_API_KEY: plant('summarizer-key'),
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${plant('collector-key')}`,
} as const

/**
 * Loaded into the process before the service: fails as a fault of its own would, once a file asks for it.
 * The messages of these errors quote what they choked on.
 */
const FAILS = `
import { existsSync, rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const asked = (name) => {
  const path = process.env.TEST_FAULTS + '/' + name
  if (!existsSync(path)) return false
  rmSync(path)
  return true
}
const secret = ['budge', 'rigar-message'].join('')
setInterval(() => {
  if (isMainThread) {
    if (asked('report')) process.report.writeReport(process.env.TEST_FAULTS + '/report.json')
    if (asked('error')) JSON.parse('{"a": ' + secret)
    if (asked('cause')) throw new Error(secret, { cause: new TypeError(secret + '\\n    at ' + secret) })
    if (asked('text')) throw secret
    if (asked('undefined')) Promise.reject(undefined)
    if (asked('rejection')) Promise.reject({ secret })
  } else if (asked('thread')) JSON.parse('{"a": ' + secret)
}, 20).unref()
`

let folder: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-crash-'))
  for (const name of ['work', 'faults', 'reports']) await mkdir(join(folder, name))
})
afterEach(async () => {
  await service?.close()
  service = undefined
  await rm(folder, { recursive: true, force: true })
})

async function start(flags: readonly string[] = []): Promise<ServiceProcess> {
  service = await startServiceProcess({
    folder: join(folder, 'work'),
    flags: [...flags, '--import', `data:text/javascript,${encodeURIComponent(FAILS)}`],
    environment: {
      ...KEYS,
      TEST_FAULTS: join(folder, 'faults'),
      PRECIS_WORKERS: '1',
      PRECIS_WORKER_MIN_BYTES: '20000',
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: 'http://127.0.0.1:9/v1/decide',
      PRECIS_SHUTDOWN_GRACE_MS: '500',
    },
  })
  return service
}

const ask = (name: string) => writeFile(join(folder, 'faults', name), '')

const post = (running: ServiceProcess, body: unknown) =>
  running.send('/compact', {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${KEYS.PRECIS_API_KEYS}` },
  })

const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${plant('message')} ${index} ${'and so on '.repeat(20)}`,
  }))

/** What is still being written is none. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== null
  } catch {
    return false
  }
}

const REPORTS = (directory: string) => [
  '--report-uncaught-exception',
  '--report-on-fatalerror',
  `--report-directory=${directory}`,
]

describe('a crash of the process', () => {
  it.each(['error', 'cause', 'text', 'rejection', 'undefined'])(
    'is told without what was thrown, and ends it with 1 (%s)',
    async (fault) => {
      const running = await start(REPORTS(join(folder, 'reports')))
      expect((await post(running, { messages: messages(9) })).statusCode).toBe(200)
      await ask(fault)
      expect(await running.end).toEqual({ code: 1, signal: null })
      const crashed = running.logLines().find(({ msg }) => msg === 'crashed')
      expect(crashed).toMatchObject({ level: 60 })
      expect(running.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
      expectNothingPlanted(running.logText())
      // Node.js writes its reports for what nobody has caught, and this was.
      for (const name of ['work', 'reports']) expect(await readdir(join(folder, name))).toEqual([])
    },
    TEST_MS,
  )
})

describe('a report of Node.js that an operator asks for', () => {
  it(
    'holds no key and no text',
    async () => {
      const running = await start()
      await post(running, { messages: messages(9) })
      await ask('report')
      const path = join(folder, 'faults/report.json')
      let report = ''
      await eventually(async () => {
        report = await readFile(path, 'utf8').catch(() => '')
        return isJson(report)
      }, 30_000)
      expect(JSON.parse(report).environmentVariables).toMatchObject({ PRECIS_WORKERS: '1' })
      expectNothingPlanted(report)
    },
    TEST_MS,
  )
})

describe('a crash of a thread', () => {
  it(
    'is told without what was thrown, and the next request has another thread',
    async () => {
      const running = await start()
      const large = { messages: messages(400), targetTokens: 1_000_000 }
      expect((await post(running, large)).statusCode).toBe(200)
      await ask('thread')
      await eventually(async () => (await readdir(join(folder, 'faults'))).length === 0, 20_000)
      // One that was under way when it happened may be told so; the next is not.
      const { statusCode, body } = await post(running, large)
      if (statusCode !== 200) {
        expect(JSON.parse(body)).toMatchObject({ code: 'internal' })
        expectNothingPlanted(body)
        expect((await post(running, large)).statusCode).toBe(200)
      }
      expectNothingPlanted((await running.metrics()).text)
      expect(await running.stop()).toBe(0)
      expectNothingPlanted(running.logText())
    },
    TEST_MS,
  )
})
