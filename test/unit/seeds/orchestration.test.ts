import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import { STAGE_NAMES } from '../../../src/engine/options.ts'
import { fakeDecide, fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  judge,
  only,
  prose,
  sizeOf,
  stageOf,
  textsOf,
  tokensOf,
  toolExchange,
  user,
} from './support.ts'

const READ = { path: 'src/importer.ts' }
const MESSAGES = conversation(
  user('Speed up the importer.'),
  ...toolExchange('run', { step: 1 }, prose(400, 'log')),
  ...chat(6, 60),
  ...toolExchange('read_file', READ, prose(150, 'old version')),
  ...toolExchange('read_file', READ, prose(150, 'new version')),
  ...chat(30, 60),
  assistant('The importer is ready.'),
)
const SIZE = await sizeOf(MESSAGES)
/** The two reads are the newest output, which pruning leaves alone. */
const OPTIONS = { prune: { protectTokens: 300 } } satisfies CompactRequest['options']
const SUMMARY = `1. Primary Request and Intent: speed. ${prose(60, 'summary')}`

const run = (targetTokens: number, models: Parameters<typeof compactWith>[1] = {}) =>
  compactWith({ messages: MESSAGES, targetTokens, options: OPTIONS }, models)

describe('seed 2: the stages', () => {
  it('run in their order, each only while the conversation is over its target', async () => {
    const used = new Set<string>()
    for (let target = SIZE; target > 900; target -= 100) {
      const decide = judge(0.9, { 3: 0.01, 4: 0.01 })
      const { report } = await run(target, { decide, summarize: fakeSummarizer([SUMMARY]) })
      expect(report.fits).toBe(true)
      const order = report.stages.map(({ stage }) => stage)
      expect(order).toEqual(STAGE_NAMES)
      const last = report.stages.findLastIndex(({ status }) => status === 'applied')
      const rest = report.stages.slice(last + 1).filter(({ status }) => status !== 'disabled')
      expect(rest.every(({ status }) => status === 'not-needed')).toBe(true)
      const before = report.stages.slice(0, last + 1)
      expect(before.every(({ status }) => status !== 'not-needed')).toBe(true)
      used.add(report.stagesUsed.join(' '))
    }
    expect([...used]).toEqual([
      '',
      'relevance',
      'relevance prune',
      'relevance prune deduplicate',
      'relevance prune deduplicate summarize',
    ])
  })

  it('stop at equality: a conversation exactly at its target is done', async () => {
    const pruned = (await run(SIZE - 200)).report
    expect(pruned.stagesUsed).toEqual(['prune'])
    const again = (await run(pruned.tokensAfter)).report
    expect(again.stagesUsed).toEqual(['prune'])
    expect(stageOf(await run(pruned.tokensAfter - 1), 'deduplicate').status).toBe('applied')
  })

  it('need no model: truncation is the fallback', async () => {
    const result = await run(Math.floor(SIZE * 0.4))
    expect(result.report.stagesUsed).toEqual(['prune', 'deduplicate', 'truncate'])
    expect(stageOf(result, 'relevance').reason).toBe('no-decide-model')
    expect(stageOf(result, 'summarize').reason).toBe('no-summarizer')
    expect(result.report.fits).toBe(true)
  })

  it('ask no summariser where the cheap ones suffice', async () => {
    const summarize = fakeSummarizer([SUMMARY])
    expect((await run(SIZE - 200, { summarize })).report.stagesUsed).toEqual(['prune'])
    expect(summarize.requests).toEqual([])
  })

  it('go on to truncation when the summariser fails', async () => {
    for (const script of [new Error('down'), '', '   ']) {
      const summarize = fakeSummarizer([script])
      const { report } = await run(Math.floor(SIZE * 0.4), { summarize })
      expect(report.stagesUsed).toEqual(['prune', 'deduplicate', 'truncate'])
      expect(report.fits).toBe(true)
    }
  })
})

describe('seed 2: stage 0 among them', () => {
  const target = Math.floor(SIZE * 0.5)

  it.each([
    ['throws', fakeDecide({ relevance: () => Promise.reject(new Error('down')) })],
    ['fails', fakeDecide({ relevance: () => ({ failure: 'server' }) })],
    ['answers nothing', fakeDecide({ relevance: {} })],
    ['is sure of nothing', judge(0.3)],
    ['needs everything', judge(1)],
  ])('leaves the positional stages as they were when the model %s', async (_, decide) => {
    const without = await run(target)
    const result = await run(target, { decide })
    expect(decide.requests).toHaveLength(1)
    expect(result.messages).toEqual(without.messages)
    expect(result.report.stages.slice(1)).toEqual(without.report.stages.slice(1))
  })

  it('is over before the others when nothing may be dropped', async () => {
    const messages = conversation(
      user('Speed up the importer.'),
      ...toolExchange('run', { step: 1 }, prose(400, 'log')),
      ...chat(6),
    )
    const decide = judge(0)
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith(
      { messages, targetTokens, options: { prune: { protectTokens: 0 } } },
      { decide },
    )
    expect(decide.requests).toEqual([])
    expect(result.report.stagesUsed).toEqual(['prune'])
  })
})

describe('seed 2: stages 1 and 2', () => {
  it('prune tool output outside the protected recent window', async () => {
    const { messages } = await run(SIZE - 200)
    const texts = textsOf(messages)
    expect(texts).not.toContain(prose(400, 'log'))
    expect(texts).toContain(prose(150, 'old version'))
    expect(texts).toContain(prose(150, 'new version'))
  })

  it('prune nothing where nothing worth keeping would be saved', async () => {
    const options = { ...only('prune'), prune: { protectTokens: 300, minimumSavings: 5_000 } }
    const result = await compactWith({ messages: MESSAGES, targetTokens: SIZE - 200, options })
    expect(stageOf(result, 'prune').status).toBe('no-change')
    expect(result.messages).toBe(MESSAGES)
  })

  it('collapse repeated reads of a file to the last one', async () => {
    const options = only('deduplicate')
    const result = await compactWith({ messages: MESSAGES, targetTokens: SIZE - 1, options })
    const texts = textsOf(result.messages)
    expect(texts).not.toContain(prose(150, 'old version'))
    expect(texts).toContain(prose(150, 'new version'))
    expect(texts).toContain(prose(400, 'log'))
  })

  it('collapse nothing where no file was read twice', async () => {
    const messages = conversation(
      user('Speed up the importer.'),
      ...toolExchange('read_file', { path: 'a.ts' }, prose(150, 'a')),
      ...toolExchange('read_file', { path: 'b.ts' }, prose(150, 'b')),
      ...chat(8),
    )
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({ messages, targetTokens, options: only('deduplicate') })
    expect(stageOf(result, 'deduplicate').status).toBe('no-change')
    expect(result.messages).toBe(messages)
  })
})

describe('seed 0: what summarization leaves verbatim', () => {
  it.each([0.3, 0.6])('is the newest %d of the target, between whole messages', async (ratio) => {
    const messages = conversation(...chat(100))
    const targetTokens = Math.floor((await sizeOf(messages)) * 0.6)
    const options = { ...only(), summarize: { enabled: true, keepRecentRatio: ratio } }
    const result = await compactWith(
      { messages, targetTokens, options },
      { summarize: fakeSummarizer([SUMMARY]) },
    )
    expect(result.report.stagesUsed).toEqual(['summarize'])
    const posted = new Set<unknown>(messages)
    const recent = result.messages.slice(2)
    expect(recent.every((message) => posted.has(message))).toBe(true)
    const kept = tokensOf(messages.slice(-recent.length)) - 24
    const withOneMore = tokensOf(messages.slice(-recent.length - 1)) - 24
    expect(kept).toBeLessThanOrEqual(targetTokens * ratio)
    expect(withOneMore).toBeGreaterThan(targetTokens * ratio)
  })
})
