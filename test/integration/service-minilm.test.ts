/** The service with the better tier of the embedded decide model, its real runtime and weights. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ENCODER_FILE, VOCABULARY_FILE } from '../../src/decide/minilm/installation.ts'
import {
  MINILM_FOLDER,
  MINILM_REQUEST,
  minilmTexts,
  PARAPHRASE_AT,
  runsMinilm,
} from '../helpers/minilm.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { startProcess } from '../helpers/service-process.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))
const TIER = {
  PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
  PRECIS_DECIDE_MINILM_FOLDER: MINILM_FOLDER,
} as const
/** The first request waits for the model to be loaded, which takes a while on a busy machine. */
const PATIENT = {
  PRECIS_DECIDE_MINILM_TIMEOUT_MS: '25000',
  PRECIS_REQUEST_DEADLINE_MS: '60000',
} as const

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
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], {
    encoding: 'utf8',
  })
  const lines = children.split('\n').filter((line) => line.includes('encoder-process.mjs'))
  return lines.map((line) => Number.parseInt(line, 10))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const relevanceOf = (answer: CompactAnswer) =>
  (answer as unknown as { relevance: Record<string, unknown> }).relevance

describe.runIf(runsMinilm)('the service with MiniLM', () => {
  test('judges by the tier, keeps what the request means, and counts it by its name', async () => {
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

  test('goes on with the static model when the encoder is killed', async () => {
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

  test('ends its encoder when it ends', { timeout: START_PROCESS_MS }, async () => {
    const service = startProcess(SERVER, TIER)
    await service.url()
    const encoders = encodersOf(service.child.pid ?? 0)
    expect(encoders.length).toBeGreaterThan(0)
    service.child.kill('SIGTERM')
    expect(await service.exit).toBe(0)
    await vi.waitFor(() => expect(encoders.filter(isRunning)).toEqual([]), 5_000)
  })

  test('refuses to start where the runtime cannot run', { timeout: START_PROCESS_MS }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
    for (const name of [ENCODER_FILE, VOCABULARY_FILE]) {
      symlinkSync(resolve(MINILM_FOLDER, name), join(folder, name))
    }
    const runtime = join(folder, 'node_modules', 'onnxruntime-node')
    mkdirSync(runtime, { recursive: true })
    writeFileSync(join(runtime, 'index.js'), "throw new Error('wrong ELF class')")
    try {
      const service = startProcess(SERVER, { ...TIER, PRECIS_DECIDE_MINILM_FOLDER: folder })
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
  test('refuses to start and says what installs it', { timeout: START_PROCESS_MS }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
    try {
      const service = startProcess(SERVER, { ...TIER, PRECIS_DECIDE_MINILM_FOLDER: folder })
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
