/** The service with the better tier of the embedded decide model, its real runtime and weights. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import {
  installationWith,
  MINILM_FOLDER,
  MINILM_REQUEST,
  minilmTexts,
  PARAPHRASE_AT,
  runsMinilm,
} from '../helpers/minilm.ts'
import { childrenOf, commandOf, isRunning } from '../helpers/processes.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { type ServiceProcess, startProcess } from '../helpers/service-process.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))
const TIER = {
  PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
  PRECIS_DECIDE_MINILM_FOLDER: MINILM_FOLDER,
} as const
/** The first request waits for the model to be loaded, which takes a while on a busy machine. */
const PATIENT = {
  PRECIS_DECIDE_MINILM_TIMEOUT_MS: '50000',
  PRECIS_REQUEST_DEADLINE_MS: '60000',
} as const
const TEST_MS = 2 * START_PROCESS_MS

const posted = {
  messages: [
    ...minilmTexts().map((text, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${text} ${text}`,
    })),
    { role: 'user', content: MINILM_REQUEST },
  ],
  targetTokens: 700,
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(environment: Readonly<Record<string, string>>): Promise<RunningService> {
  const service = await startService({ ...TIER, ...environment })
  closing.push(service.close)
  return service
}

/** Process ids of the encoders that a process has started. */
function encodersOf(parent: number): number[] {
  return childrenOf(parent).filter((pid) => commandOf(pid).includes('encoder-process.mjs'))
}

function startServer(folder: string): ServiceProcess {
  const service = startProcess(SERVER, { ...TIER, PRECIS_DECIDE_MINILM_FOLDER: folder })
  closing.push(async () => {
    service.child.kill('SIGKILL')
    await service.exit
  })
  return service
}

const relevanceOf = (answer: CompactAnswer) =>
  (answer as unknown as { relevance: Record<string, unknown> }).relevance

describe.runIf(runsMinilm)('the service with MiniLM', () => {
  test('judges by the tier, keeps what the request means, and counts it by its name', {
    timeout: TEST_MS,
  }, async () => {
    const service = await serve(PATIENT)
    const answer = await service.ask<CompactAnswer>('/compact', posted)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(relevanceOf(answer)).toMatchObject({ wire: 'minilm', model: 'precis-minilm-2' })
    expect(answer.messages).toContainEqual(posted.messages[PARAPHRASE_AT])
    const results = (await service.metrics()).by('precis_decide_requests_total', 'wire')
    expect(results).toMatchObject({ minilm: 1 })
    expect(service.logText()).not.toContain('peanuts')
  })

  test('has the static model answer where the tier is too slow', async () => {
    const service = await serve({ PRECIS_DECIDE_MINILM_TIMEOUT_MS: '1' })
    const answer = await service.ask<CompactAnswer>('/compact', posted)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(relevanceOf(answer)).toMatchObject({
      wire: 'embedded',
      links: [
        { wire: 'minilm', result: 'timeout', answered: 0 },
        { wire: 'embedded', result: 'answered' },
      ],
    })
    expect(relevanceOf(answer)).not.toHaveProperty('failOpen')
  })

  test('goes on with the static model when the encoder is killed', {
    timeout: TEST_MS,
  }, async () => {
    const service = await serve(PATIENT)
    await service.ask<CompactAnswer>('/compact', posted)
    for (const pid of encodersOf(process.pid)) process.kill(pid, 'SIGKILL')
    const changed = [{ role: 'user', content: 'Something that was not there before.' }]
    const next = { ...posted, messages: [...changed, ...posted.messages] }
    const answer = await service.ask<CompactAnswer>('/compact', next)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(relevanceOf(answer)).toMatchObject({
      wire: 'embedded',
      links: [{ wire: 'minilm', result: 'error' }, { wire: 'embedded' }],
    })
  })

  test('ends its encoder when it ends', { timeout: TEST_MS }, async () => {
    const service = startServer(MINILM_FOLDER)
    await service.url()
    const encoders = encodersOf(service.child.pid ?? 0)
    expect(encoders.length).toBeGreaterThan(0)
    service.child.kill('SIGTERM')
    expect(await service.exit).toBe(0)
    await eventually(() => !encoders.some(isRunning), 20_000)
  })

  test('refuses to start where the runtime cannot run', { timeout: TEST_MS }, async () => {
    const folder = installationWith("throw new Error('wrong ELF class')")
    try {
      const service = startServer(folder)
      const line = await service.logLine('the configuration is not valid')
      expect(JSON.stringify(line.faults)).toContain('PRECIS_DECIDE_EMBEDDED_MODEL')
      expect(JSON.stringify(line.faults)).toContain('wrong ELF class')
      expect(await service.exit).toBe(1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the service without the installation', () => {
  test('refuses to start and says what installs it', { timeout: TEST_MS }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
    try {
      const service = startServer(folder)
      const line = await service.logLine('the configuration is not valid')
      expect(line.faults).toHaveLength(3)
      expect(JSON.stringify(line.faults)).toContain('npm run setup:minilm')
      expect(service.logText()).not.toContain(folder)
      expect(await service.exit).toBe(1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
