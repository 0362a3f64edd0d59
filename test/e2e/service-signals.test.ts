/** The service as it ships, told to end or killed, with callers of every kind at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BUILD_MS, type BuiltProject, buildProject } from '../helpers/build-project.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { freePort } from '../helpers/free-port.ts'
import { MINILM_FOLDER, runsMinilm } from '../helpers/minilm.ts'
import { childrenOf, isRunning } from '../helpers/processes.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { type RawUpstream, startRawUpstream } from '../helpers/proxy/raw-upstream.ts'
import {
  isAnswered,
  isRefused,
  openSocket,
  outcomeOf,
  SMALL_BODY,
  startLoad,
  WHOLE_STREAM,
} from '../helpers/service-load.ts'
import { type ServiceProcess, startServiceProcess } from '../helpers/start-service-process.ts'

const TEST_MS = 120_000
/** What closing may take after the grace, and a busy machine besides. */
const CLOSE_MS = 20_000

let project: BuiltProject
let folder: string
let decide: DecideServer
let upstream: RawUpstream
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  project = await buildProject()
}, BUILD_MS)
afterAll(() => project?.remove())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-signals-'))
  for (const name of ['work', 'tmp', 'keys']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'keys/keys'), '')
  decide = await WIRES.systemone.start(() => 0.5)
  decide.setFault('hang')
  upstream = await startRawUpstream()
  closing.push(decide.close, upstream.close)
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

async function start(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    file: join(project.folder, 'dist/server.js'),
    folder: join(folder, 'work'),
    environment: {
      ...decideVariables('systemone', decide.url, 3_000),
      PRECIS_UPSTREAM_OPENAI_URL: upstream.origin,
      PRECIS_WORKERS: '1',
      PRECIS_REQUEST_DEADLINE_MS: '30000',
      TMPDIR: join(folder, 'tmp'),
      ...environment,
    },
  })
  closing.push(async () => {
    if (!service.hasEnded()) process.kill(service.pid, 'SIGKILL')
    await service.close()
  })
  return service
}

describe('SIGTERM under load', () => {
  it(
    'has everything finished that was begun, refuses the rest, and ends with 0',
    async () => {
      const service = await start({ PRECIS_SHUTDOWN_GRACE_MS: '60000' })
      const load = await startLoad(service, upstream)
      process.kill(service.pid, 'SIGTERM')
      await eventually(
        async () => isRefused(await outcomeOf('is new', service, SMALL_BODY)),
        20_000,
      )
      expect((await service.send('/healthz')).statusCode).toBe(200)
      load.goOn()
      const begun = await load.begun
      const endedAt = performance.now()
      expect(begun.filter((outcome) => !isAnswered(outcome))).toEqual([])
      const of = (caller: string) => begun.filter((outcome) => outcome.caller === caller)
      expect(of('reads a stream').map(({ body }) => body)).toEqual([WHOLE_STREAM, WHOLE_STREAM])
      for (const { body } of of('waits for a thread')) {
        expect(JSON.parse(body)).toMatchObject({ outcome: 'compacted', fits: true })
      }
      expect(of('waits for a model').map(({ body }) => JSON.parse(body).outcome)).toEqual(
        Array.from({ length: 3 }, () => 'compacted'),
      )
      expect(await service.end).toEqual({ code: 0, signal: null })
      expect(performance.now() - endedAt).toBeLessThan(CLOSE_MS)
      expect(service.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
      expect(service.logLines().filter(({ level }) => Number(level) > 30)).toEqual([])
      const asked = await load.stopAsking()
      // The last answer of each is a refusal or, at the very end, a connection that is no more.
      expect(
        asked.filter((one) => !isAnswered(one) && !isRefused(one) && one.status !== 0),
      ).toEqual([])
      expect(asked.some(isRefused)).toBe(true)
    },
    TEST_MS,
  )

  it(
    'cuts what outlasts the grace, and ends with 1 in its time',
    async () => {
      const service = await start({
        PRECIS_SHUTDOWN_GRACE_MS: '500',
        PRECIS_DECIDE_TIMEOUT_MS: '60000',
        PRECIS_REQUEST_DEADLINE_MS: '120000',
      })
      const load = await startLoad(service, upstream)
      const toldAt = performance.now()
      process.kill(service.pid, 'SIGTERM')
      expect(await service.end).toEqual({ code: 1, signal: null })
      expect(performance.now() - toldAt).toBeLessThan(500 + CLOSE_MS)
      const begun = await load.begun
      for (const caller of ['waits for a model', 'reads a stream', 'has sent half of its body']) {
        const cut = begun.filter((outcome) => outcome.caller === caller)
        expect([caller, cut.some(({ isWhole }) => isWhole)]).toEqual([caller, false])
      }
      const warning = service.logLines().find(({ msg }) => msg === 'the grace is over')
      expect(Number(warning?.abandoned)).toBeGreaterThanOrEqual(6)
      expect(service.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
      await load.stopAsking()
    },
    TEST_MS,
  )
})

describe('SIGTERM while nobody asks for anything', () => {
  it(
    'ends with 0, whatever connections are open and whatever collector hangs',
    async () => {
      const collector = await WIRES.systemone.start(() => 0)
      collector.setFault('hang')
      closing.push(collector.close)
      const service = await start({ PRECIS_ADMIN_PORT: '0', PRECIS_TRACING_URL: collector.url })
      const adminUrl = String(service.logLines().find(({ msg }) => msg === 'listening')?.adminUrl)
      // Kept alive by their callers: one that has asked, some that have not, one in the middle of a header.
      expect((await service.send('/healthz')).statusCode).toBe(200)
      await service.send('/compact', { method: 'POST', body: SMALL_BODY })
      const sockets = [service.url, service.url, adminUrl, adminUrl].map(openSocket)
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      sockets[1]?.write('POST /compact HTTP/1.1\r\nHost: pre')
      sockets[3]?.write('GET /metrics HTTP/1.1\r\nHost: pre')
      const toldAt = performance.now()
      process.kill(service.pid, 'SIGTERM')
      expect(await service.end).toEqual({ code: 0, signal: null })
      expect(performance.now() - toldAt).toBeLessThan(CLOSE_MS)
      expect(service.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
    },
    TEST_MS,
  )
})

describe('SIGKILL under load', () => {
  const tier = runsMinilm
    ? {
        PRECIS_DECIDE_CHAIN: 'systemone,embedded',
        PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
        PRECIS_DECIDE_MINILM_FOLDER: resolve(MINILM_FOLDER),
      }
    : {}

  it(
    'leaves nothing behind, and the next start on its port answers',
    async () => {
      const port = String(await freePort())
      const keys = join(folder, 'keys/keys')
      const environment = { PRECIS_PORT: port, ...tier }
      const service = await start(environment)
      const load = await startLoad(service, upstream)
      const children = childrenOf(service.pid)
      expect(children.length).toBe(runsMinilm ? 1 : 0)
      process.kill(service.pid, 'SIGKILL')
      expect(await service.end).toEqual({ code: null, signal: 'SIGKILL' })
      // Nobody hangs: every connection is closed.
      for (const outcome of await load.begun) expect(outcome.isWhole).toBe(false)
      expect((await load.stopAsking()).at(-1)?.status).toBe(0)
      await eventually(() => !children.some(isRunning), 20_000)
      const left = await Promise.all(['work', 'tmp'].map((name) => readdir(join(folder, name))))
      expect(left).toEqual([[], []])

      const next = await start({ ...environment, PRECIS_API_KEYS_FILE: keys })
      expect(new URL(next.url).port).toBe(port)
      expect((await next.send('/readyz')).statusCode).toBe(200)
      expect(await readdir(join(folder, 'keys'))).toEqual(['keys'])
      expect(await next.stop()).toBe(0)
    },
    TEST_MS,
  )
})

/** Has the process told as soon as it listens: from outside, the start may be over before the signal comes. */
const tellsItself = (signal: NodeJS.Signals) => `
  let isTold = false
  process.on('newListener', (event) => {
    if (event !== '${signal}' || isTold) return
    isTold = true
    process.nextTick(() => process.kill(process.pid, '${signal}'))
  })`

describe('a signal while it starts', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s is heard as soon as it is listened for, and ends the start',
    async (signal) => {
      const preload = `data:text/javascript,${encodeURIComponent(tellsItself(signal))}`
      const child = spawn(
        process.execPath,
        ['--import', preload, join(project.folder, 'dist/server.js')],
        { env: { PATH: process.env.PATH, PRECIS_PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      closing.push(async () => child.kill('SIGKILL'))
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += String(chunk)
      })
      expect(await once(child, 'close')).toEqual([0, null])
      // Some versions of Node.js load all the rest before they look for signals: then the start was told of.
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.at(-1)).toMatchObject({ level: 30, signal, msg: 'stopped while starting' })
      expect(lines.map(({ msg }) => msg)).not.toContain('listening')
    },
    TEST_MS,
  )

  it(
    'that says the process is broken ends it at once',
    async () => {
      const service = await start({})
      process.kill(service.pid, 'SIGSEGV')
      expect(await service.end).toEqual({ code: null, signal: 'SIGSEGV' })
    },
    TEST_MS,
  )
})
