/** P12 for what operators set and ask for: configuration, files of keys, limits, the page, the command line. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { optionVariables } from '../../src/config/option-variables.ts'
import { ConfigSchema } from '../../src/config/schema.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { createServiceClient } from '../helpers/service-client.ts'
import { type ServiceProcess, startProcess } from '../helpers/service-process.ts'
import {
  START_PROCESS_MS,
  type ServiceProcess as StartedProcess,
  startServiceProcess,
} from '../helpers/start-service-process.ts'

const TEST_MS = 60_000
const SERVER = resolve('src/server.ts')

let folder: string
let started: ServiceProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-operator-'))
})
afterEach(async () => {
  started?.child.kill('SIGKILL')
  await started?.exit
  started = undefined
  await rm(folder, { recursive: true, force: true })
})

/** What a process says that does not start, or that is stopped as soon as it serves. */
async function saidAtStart(environment: Readonly<Record<string, string>>): Promise<string> {
  started = startProcess(SERVER, { PRECIS_LOG_LEVEL: 'trace', ...environment })
  await started.logLine('listening').catch(() => undefined)
  started.child.kill('SIGTERM')
  await started.exit
  return started.logText()
}

/** A secret in the shape of a GitHub token; put together so that no scanner stops at this file. */
const SHAPED = ['ghp', '_', 'a1B2'.repeat(9)].join('')

describe('a secret that was set in the wrong variable', () => {
  it(
    'is in no fault, whichever variable refuses it',
    async () => {
      const names = [
        ...Object.keys(ConfigSchema.properties),
        ...optionVariables(OptionsSchema).map(({ name }) => name),
      ]
      const text = await saidAtStart(
        Object.fromEntries(names.map((name) => [name, plant('value')])),
      )
      const { faults } = JSON.parse(text) as { faults: { variable: string }[] }
      expect(faults.length).toBeGreaterThan(40)
      expectNothingPlanted(text)
    },
    TEST_MS,
  )

  it.each([
    ['PRECIS_TRACING_URL', `http://user:${plant('password')}@127.0.0.1:9/v1/traces`],
    ['PRECIS_TRACING_URL', `http://127.0.0.1:9/v1/traces?api-key=${plant('query')}`],
    ['PRECIS_UPSTREAM_OPENAI_URL', `http://127.0.0.1:9/v1?key=${plant('query')}`],
    ['PRECIS_DECIDE_URL', `http://${plant('user')}@127.0.0.1:9/`],
  ])(
    'is refused and not shown as a part of %s',
    async (variable, value) => {
      const text = await saidAtStart({
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: 'http://127.0.0.1:9/v1/decide',
        [variable]: value,
      })
      expect(JSON.parse(text)).toMatchObject({ level: 60, faults: [{ variable }] })
      expectNothingPlanted(text)
    },
    TEST_MS,
  )

  it(
    'is not shown where it is taken for a text',
    async () => {
      const text = await saidAtStart({
        PRECIS_TRACING_URL: `http://127.0.0.1:9/v1/traces?team=${plant('query')}`,
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: 'http://127.0.0.1:9/v1/decide',
        PRECIS_DECIDE_API_KEY: plant('decide-key'),
        PRECIS_DECIDE_MODEL: SHAPED,
        PRECIS_SUMMARIZER_MODEL: SHAPED,
        PRECIS_MODEL_WINDOWS: JSON.stringify({ [SHAPED]: { contextWindow: 9_000 } }),
        PRECIS_API_KEY: plant('misspelt'),
      })
      expect(text).toContain('"listening"')
      expect(text).toContain('PRECIS_API_KEY is not a variable')
      expect(text).not.toContain(SHAPED)
      expectNothingPlanted(text)
    },
    TEST_MS,
  )

  it(
    'is not shown as an address that nobody can listen on',
    async () => {
      const text = await saidAtStart({ PRECIS_HOST: SHAPED })
      expect(text).toContain('"cannot listen"')
      expect(text).not.toContain(SHAPED)
    },
    TEST_MS,
  )
})

describe('a file of keys', () => {
  it(
    'is not shown where a key stands in place of its path',
    async () => {
      const text = await saidAtStart({ PRECIS_API_KEYS_FILE: plant('key') })
      expect(text).toContain('"variable":"PRECIS_API_KEYS_FILE"')
      expectNothingPlanted(text)
    },
    TEST_MS,
  )

  it(
    'shows none of its lines where one is no key',
    async () => {
      const file = join(folder, 'keys')
      await writeFile(file, `${plant('key')}\n${plant('key')} and ${plant('more')}\n`)
      const text = await saidAtStart({ PRECIS_API_KEYS_FILE: file })
      expect(text).toContain('holds a line that is no key')
      expectNothingPlanted(text)
    },
    TEST_MS,
  )
})

describe('a service that operators look at', () => {
  let service: StartedProcess
  let file: string
  let home: string
  const key = plant('key-of-the-file')
  const answers: string[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'precis-operator-'))
    file = join(home, 'keys')
    await writeFile(file, `${key}\n`)
    service = await startServiceProcess({
      environment: {
        PRECIS_API_KEYS: plant('key'),
        PRECIS_API_KEYS_FILE: file,
        PRECIS_ADMIN_PORT: '0',
        PRECIS_RATE_LIMIT_REQUESTS: '3',
        PRECIS_RATE_LIMIT_BYTES: '1000000',
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: `http://127.0.0.1:9/v1/decide?team=${plant('query')}`,
        PRECIS_DECIDE_API_KEY: plant('decide-key'),
        PRECIS_SUMMARIZER_API_KEY: plant('summarizer-key'),
      },
    })
  }, START_PROCESS_MS)
  afterAll(async () => {
    await service?.close()
    await rm(home, { recursive: true, force: true })
  })

  it('answers too many requests of a key without naming it', async () => {
    const body = { messages: [{ role: 'user', content: plant('message') }] }
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) {
      const answer = await service.send('/compact', {
        method: 'POST',
        body: { ...body, targetTokens: 900 },
        headers: { authorization: `Bearer ${key}` },
      })
      statuses.push(answer.statusCode)
      if (answer.statusCode !== 200) answers.push(JSON.stringify(answer.headers) + answer.body)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it(
    'says of a file that breaks what is wrong with it, and shows no line of it',
    async () => {
      await writeFile(`${file}.next`, `${plant('new-key')}\nnot a ${plant('key')}\n`)
      await rename(`${file}.next`, file)
      await eventually(
        () => service.logLines().some(({ msg }) => msg === 'the file of keys'),
        15_000,
      )
      await rm(file)
      await eventually(() => service.logText().includes('ENOENT'), 15_000)
    },
    TEST_MS,
  )

  it(
    'has nothing to hide on its pages, its listener for operators or in its log',
    async () => {
      const listening = service.logLines().find(({ msg }) => msg === 'listening')
      const admin = createServiceClient(String(listening?.adminUrl))
      const query = `?key=${plant('query')}`
      for (const path of [
        '/metrics',
        '/healthz',
        '/readyz',
        `/${plant('path')}`,
        `/%zz${plant('path')}`,
      ]) {
        const options = { headers: { authorization: plant('authorization') } }
        const { headers, body } = await admin.send(`${path}${query}`, options)
        answers.push(JSON.stringify(headers) + body)
      }
      await admin.close()
      for (const path of ['/ui', '/ui/settings.json', '/openapi.json', '/readyz', '/metrics']) {
        const { headers, body } = await service.send(`${path}${query}`)
        answers.push(JSON.stringify(headers) + body)
      }
      expect(answers.join('')).toContain('precis_http_problems_total{code="rate-limited"} 2')
      for (const answer of answers) expectNothingPlanted(answer)
      expect(await service.stop()).toBe(0)
      expectNothingPlanted(service.logText())
    },
    TEST_MS,
  )
})

describe('the command line', () => {
  const secret = plant('message')
  const message = { role: 'user', content: secret }
  const cases: readonly (readonly [string, string, string])[] = [
    ['breaks off', 'compact', `{"messages":[{"role":"user","content":"${secret}`],
    ['is no JSON', 'check', `${secret} ${secret}`],
    ['has a message that is none', 'compact', JSON.stringify({ messages: [secret, 5, message] })],
    [
      'has a role that is none',
      'check',
      JSON.stringify({ messages: [{ ...message, role: secret }] }),
    ],
    [
      'has settings that are none',
      'budget',
      JSON.stringify({ messages: [message], model: [secret] }),
    ],
    [
      'is a session with broken lines',
      'compact',
      `{"type":"user","message":"${secret}\n{"x":${secret}\n`,
    ],
  ]

  it.each(cases)(
    'quotes nothing of a file that %s',
    async (_name, command, text) => {
      const path = join(folder, 'conversation.json')
      await writeFile(path, text)
      const { stderr, status } = spawnSync(
        process.execPath,
        ['--import', 'tsx', 'src/cli/main.ts', command, path],
        { encoding: 'utf8', env: { ...process.env, PRECIS_API_KEYS: plant('key') } },
      )
      expect(status).not.toBe(0)
      expect(stderr).not.toBe('')
      expectNothingPlanted(stderr)
    },
    TEST_MS,
  )
})
