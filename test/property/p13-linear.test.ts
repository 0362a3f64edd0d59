import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../src/conversation/request.ts'
import type { ConversationServices } from '../../src/conversation/services.ts'
import type { OptionOverrides } from '../../src/engine/options.ts'
import type { DecidePort } from '../../src/engine/ports.ts'
import { type ConversationPayload, LONG } from '../helpers/arbitraries/index.ts'
import { TIMED } from '../helpers/timed.ts'
import { conversationListOf, type WireFormat } from '../helpers/wire-rules/index.ts'
import { type BigShape, HOSTILE_SHAPES, SESSIONS } from './support/big-shapes.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { closedConversation, doubled } from './support/doubled.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { createMeter } from './support/metered-counters.ts'
import { createServices, membersOf, runCase, unhurried } from './support/run-case.ts'
import { property } from './support/run-property.ts'

/** Twice the conversation may cost twice the work, and some for what does not divide evenly. */
const MOST_GROWTH = 2.6

/** No target of these conversations; nothing is done. */
const NO_TARGET = 1_000_000_000

/** Every stage comes to its turn, and none is enough before truncation. */
const EVERY_STAGE: OptionOverrides = {
  relevance: { enabled: true, toolExchanges: 'drop', maxDropRatio: 0.1, riskBudget: null },
  prune: { enabled: true, protectTokens: 1_000, minimumSavings: 0 },
  deduplicate: { enabled: true },
  collapse: { enabled: true, keepRecent: 100_000 },
  summarize: { enabled: true, minRejectConfidence: 0 },
  truncate: { enabled: true },
}

interface Judge extends DecidePort {
  /** Documents and questions that it was given. */
  readonly asked: () => number
}

/** Takes any number of questions, says no to each, and to each summary too. */
function createJudge(): Judge {
  let asked = 0
  const meta = { wire: 'scripted', model: 'scripted-1', latencyMs: 1, requests: 1, notAsked: 0 }
  return {
    asked: () => asked,
    traits: {
      ...meta,
      order: 'least-needed-first',
      riskBudget: undefined,
      maxQuestions: Number.POSITIVE_INFINITY,
      sites: new Set(['relevance', 'summary-gate']),
    },
    decide: async ({ questions, state }) => {
      asked += questions.length + state.documents.length + state.recent.length
      const answers = questions.map(
        ({ id }) => [id, { kind: 'boolean', probability: 0.05 }] as const,
      )
      return { ...meta, answers: new Map(answers) }
    },
  }
}

/** Asked for a share of the way from the floor to the whole. */
async function compactTo(
  request: Omit<CompactRequest, 'targetTokens'>,
  share: number,
  services: ConversationServices,
) {
  const probe = await compactConversation(
    { ...request, targetTokens: NO_TARGET },
    createServices({ decide: undefined, summarize: undefined }),
    unhurried(),
  )
  const { floor, tokensBefore } = probe.report
  const target = floor.tokens + share * (tokensBefore - floor.tokens)
  const targetTokens = Math.max(1, Math.ceil(target / (probe.budget.safetyFactor ?? 1)))
  // Of the processor, not of the clock: other processes do not count.
  const before = process.cpuUsage()
  const { report } = await compactConversation({ ...request, targetTokens }, services, unhurried())
  const { user, system } = process.cpuUsage(before)
  return { report, microseconds: user + system }
}

async function workOf(format: WireFormat, payload: ConversationPayload) {
  const meter = createMeter()
  const judge = createJudge()
  let read = 0
  const summarize: ConversationServices['summarize'] = {
    model: 'writer-1',
    maxInputTokens: 20_000,
    summarize: async ({ input }) => {
      read += input.length
      const said = { model: 'writer-1', toolCalls: false, refused: false, truncated: false }
      return { ok: true, text: 'Some work was done.', latencyMs: 0, ...said }
    },
  }
  const { report } = await compactTo(
    { ...membersOf(payload), format, options: EVERY_STAGE },
    0.01,
    createServices({ decide: judge, summarize }, meter.counters),
  )
  return {
    work: { calls: meter.calls(), characters: meter.characters(), read, asked: judge.asked() },
    hasRun: report.stages.every(({ status }) => status !== 'not-needed' && status !== 'skipped'),
  }
}

describe.each(SERVED_FORMATS)('P13: the work is linear, in %s', (format) => {
  property(
    'twice the conversation is at most 2.6 times the counting, asking and reading, give or take a pass',
    closedConversation(format, { minMessages: 80, maxMessages: 160 }),
    async (payload, meet) => {
      const twofold = doubled(payload)
      const once = await workOf(format, payload)
      const twice = await workOf(format, twofold)
      if (!once.hasRun || !twice.hasRun) return
      meet('every stage')
      // Whether a stage has to cut a text down is not a matter of size: one of the two may be spared it.
      const pass = {
        calls: conversationListOf(twofold).length,
        characters: JSON.stringify(twofold).length,
      }
      const slack = { ...pass, read: pass.characters, asked: pass.calls }
      for (const what of ['calls', 'characters', 'read', 'asked'] as const) {
        expect(twice.work[what], what).toBeLessThan(MOST_GROWTH * once.work[what] + slack[what])
      }
    },
    { runs: 0.2, meets: { 'every stage': 0.3 } },
  )

  property(
    'no text is counted more often than there are reasons to, whatever is posted and asked for',
    fc.oneof(compactionCase(format), compactionCase(format, LONG)).map(withTerseSummariser),
    async (sketch, meet) => {
      const meter = createMeter()
      const { report } = await runCase(sketch, {}, meter.counters)
      const posted = JSON.stringify(membersOf(sketch.payload)).length
      meet(report.outcome)
      // Once to read it, once as a summariser's input, and a few more where a stage cuts it down.
      expect(meter.characters()).toBeLessThan(6 * posted + 20_000)
      expect(meter.calls()).toBeLessThan(40 * conversationListOf(sketch.payload).length + 500)
    },
    { runs: 0.4, meets: { compacted: 0.3 } },
  )
})

/** How long a summary is, is not a matter of what was posted. */
function withTerseSummariser(sketch: CompactionCase): CompactionCase {
  const { manner } = sketch.summarize
  return manner === 'huge'
    ? { ...sketch, summarize: { ...sketch.summarize, manner: 'prose' } }
    : sketch
}

describe('P13: the time is linear', () => {
  const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[1] ?? Number.NaN

  async function timesOf(shape: BigShape, sizes: readonly number[], over: Partial<CompactRequest>) {
    const services = () =>
      createServices({ decide: createJudge(), summarize: undefined }, createMeter().counters)
    const times = sizes.map((): number[] => [])
    // Sizes in turn, so that whatever else the machine does weighs on all of them.
    for (let round = 0; round < 3; round += 1) {
      for (const [position, size] of sizes.entries()) {
        const { microseconds, report } = await compactTo(
          { ...shape(size), ...over },
          0.3,
          services(),
        )
        expect(report.fits).toBe(true)
        times[position]?.push(microseconds)
      }
    }
    return times.map(median)
  }

  it.each([
    ['neurolink', 'neurolink'],
    ['agent', 'anthropic-messages'],
    ['rubyn', 'openai-chat'],
  ] as const)(
    'ten times the messages take less than 25 times as long with profile %s (%s)',
    { timeout: 120_000, ...TIMED },
    async (profile, format) => {
      const [small = 0, large = 0] = await timesOf(SESSIONS[format], [2_000, 20_000], { profile })
      expect(large / small).toBeLessThan(25)
    },
  )

  it.each(Object.entries(HOSTILE_SHAPES))(
    'eight times the messages take less than 20 times as long with %s',
    { timeout: 120_000, ...TIMED },
    async (_, shape) => {
      const [small = 0, large = 0] = await timesOf(shape, [2_000, 16_000], { options: EVERY_STAGE })
      expect(large / small).toBeLessThan(20)
    },
  )
})
