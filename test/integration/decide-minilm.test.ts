/** The better tier of the embedded decide model with its real runtime and weights. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ENCODER_WIDTH } from '../../src/decide/minilm/encoder.ts'
import {
  type EncoderProcess,
  startEncoderProcess,
} from '../../src/decide/minilm/encoder-process.ts'
import { ENCODER_FILE, readVocabulary } from '../../src/decide/minilm/installation.ts'
import { type OwnedMinilm, openMinilm } from '../../src/decide/minilm/open-minilm.ts'
import { createTokenizer } from '../../src/decide/minilm/tokenizer.ts'
import type { DecideRequest } from '../../src/engine/ports.ts'
import {
  MINILM_FOLDER,
  MINILM_REQUEST,
  minilmTexts,
  NAMED_AT,
  PARAPHRASE,
  PARAPHRASE_AT,
  runsMinilm,
} from '../helpers/minilm.ts'
import { TIMED } from '../helpers/timed.ts'
import { documents, needed, questionsAbout } from '../unit/decide/embedded/helpers.ts'

const TEXTS = minilmTexts()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function open(change: { timeoutMs?: number; cacheBytes?: number } = {}): OwnedMinilm {
  const options = { folder: MINILM_FOLDER, threads: 1, timeoutMs: 60_000, cacheBytes: 10_000_000 }
  const minilm = openMinilm({ ...options, ...change })
  closing.push(minilm.close)
  return minilm
}

function startEncoder(threads = 1, folder = MINILM_FOLDER): EncoderProcess {
  const encoder = startEncoderProcess({ folder, file: ENCODER_FILE, threads })
  closing.push(encoder.close)
  return encoder
}

function requestAbout(texts: readonly string[]): DecideRequest {
  const judged = documents(texts)
  return {
    site: 'relevance',
    questions: questionsAbout(judged),
    state: { fields: { current_request: MINILM_REQUEST }, recent: [], documents: judged },
    signal: new AbortController().signal,
  }
}

describe.runIf(runsMinilm)('the encoder', () => {
  const tokenize = runsMinilm ? createTokenizer(readVocabulary(MINILM_FOLDER)) : () => []
  const SENTENCES = [
    PARAPHRASE,
    MINILM_REQUEST,
    'A much longer sentence about nothing. '.repeat(40),
  ]

  test('gives a text the same vector alone, among others, and with more threads', async () => {
    const encoder = startEncoder()
    const alone: Float32Array[] = []
    for (const text of SENTENCES) alone.push(await encoder.encode(tokenize({ text })))
    const ids = [...SENTENCES].reverse().map((text) => tokenize({ text }))
    const together = await Promise.all(ids.map((tokens) => encoder.encode(tokens)))
    const shared = await startEncoder(2).encode(tokenize({ text: PARAPHRASE }))
    expect(alone.map(({ length }) => length)).toEqual(SENTENCES.map(() => ENCODER_WIDTH))
    expect(together.reverse()).toEqual(alone)
    expect(shared).toEqual(alone[0])
  })

  test('refuses the texts that it had when it is closed, and every later one', async () => {
    const encoder = startEncoder()
    await encoder.ready
    const long = tokenize({ text: 'word '.repeat(300) })
    const pending = Array.from({ length: 20 }, () => encoder.encode(long))
    const settled = Promise.allSettled(pending)
    await encoder.close()
    expect((await settled).some(({ status }) => status === 'rejected')).toBe(true)
    await expect(encoder.encode(long)).rejects.toThrow('ended')
  })

  test('says why a runtime does not load', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
    const runtime = join(folder, 'node_modules', 'onnxruntime-node')
    mkdirSync(runtime, { recursive: true })
    writeFileSync(join(runtime, 'index.js'), "throw new Error('wrong ELF class')")
    try {
      await expect(startEncoder(1, folder).ready).rejects.toThrow('wrong ELF class')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe.runIf(runsMinilm)('the decide model', () => {
  test('finds a paraphrase without a word in common, which the static model ranks lower', async () => {
    const { answers } = await open().port.decide(requestAbout(TEXTS))
    const tier = [...answers.values()].map((one) => (one.kind === 'boolean' ? one.probability : 0))
    const fixed = await needed(MINILM_REQUEST, documents(TEXTS))
    // What stands around a match is held for needed with it.
    const isNear = (index: number, place: number) => Math.abs(index - place) <= 4
    const others = (index: number) => !isNear(index, PARAPHRASE_AT) && !isNear(index, NAMED_AT)
    const lead = (all: readonly number[]) =>
      (all[PARAPHRASE_AT] ?? 0) / Math.max(...all.filter((_, index) => others(index)))
    expect(tier).toHaveLength(TEXTS.length)
    expect(lead(tier)).toBeGreaterThan(1)
    expect(lead(tier)).toBeGreaterThan(lead(fixed))
  })

  test('gives the same answers from its memory, and without one', TIMED, async () => {
    const request = requestAbout(TEXTS)
    const { port } = open()
    const first = await port.decide(request)
    const again = await port.decide(request)
    const forgetful = await open({ cacheBytes: 0 }).port.decide(request)
    expect(first.answers.size).toBe(TEXTS.length)
    expect([...again.answers]).toEqual([...first.answers])
    expect([...forgetful.answers]).toEqual([...first.answers])
    expect(again.latencyMs).toBeLessThan(first.latencyMs / 2)
  })

  test('answers nothing rather than late', TIMED, async () => {
    // All of them take ten seconds and more.
    const texts = Array.from({ length: 600 }, (_, index) => `${'word '.repeat(200)}${index}`)
    const request = requestAbout(['My daughter and dangerous foods.', ...texts])
    const minilm = open()
    await minilm.ready
    const startedAt = performance.now()
    const result = await minilm.port.decide({ ...request, deadlineAt: startedAt + 300 })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(result).toMatchObject({ failure: 'deadline' })
    expect(result.answers.size).toBe(0)
  })
})
