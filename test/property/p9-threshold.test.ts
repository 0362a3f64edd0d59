import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { budgetConversation } from '../../src/conversation/budget-conversation.ts'
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import type { BudgetFields, CompactRequest } from '../../src/conversation/request.ts'
import {
  DEFAULT_COMPACTION_THRESHOLD,
  resolveBudget,
  resolveThreshold,
} from '../../src/engine/budget.ts'
import { PrecisError } from '../../src/engine/errors.ts'
import type { DecidePort } from '../../src/engine/ports.ts'
import { conversationOf } from '../helpers/arbitraries/index.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { createServices, membersOf, unhurried } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const budgetFields: fc.Arbitrary<BudgetFields> = fc.record(
  {
    contextWindow: fc.oneof(
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: 1, max: 2_000_000 }),
    ),
    maxOutputTokens: fc.oneof(
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: 0, max: 200_000 }),
    ),
    files: fc.array(
      fc.oneof(
        fc.constantFrom('notes', 'x '.repeat(900)),
        fc.record({ tokens: fc.nat({ max: 9_000 }) }),
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)

const threshold = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(Number.MIN_VALUE, 0.45, 0.6, 0.75, 0.8, 0.800001, 1) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 1_000 }).map((thousandths) => thousandths / 1_000),
  },
)

const tenths = (min: number, max: number) => fc.integer({ min, max }).map((number) => number / 10)

const withoutModels = createServices({ decide: undefined, summarize: undefined })

/** The target of the route's own arithmetic; undefined where the window has no room for input. */
async function targetsOf(request: CompactRequest) {
  try {
    const compacted = await compactConversation(
      { ...request, dryRun: true },
      withoutModels,
      unhurried(),
    )
    const { currentRequest, ...rest } = request
    const budget = await budgetConversation(
      { ...rest, ...(typeof currentRequest === 'string' && { currentRequest }) },
      withoutModels,
      unhurried(),
    )
    return { posted: compacted.budget.targetTokens.value, history: budget.target.value }
  } catch (error) {
    if (error instanceof PrecisError && error.code === 'invalid-budget') return undefined
    throw error
  }
}

describe.each(SERVED_FORMATS)('P9: a threshold only ever lowers the target, in %s', (format) => {
  property(
    'a lower threshold never means a higher target, and none means a higher one than the default',
    fc.record({
      payload: conversationOf(format, { maxMessages: 12 }),
      fields: budgetFields,
      thresholds: fc.tuple(threshold, threshold),
      currentRequest: fc.constantFrom(undefined, 'And the tests?'),
    }),
    async ({ payload, fields, thresholds, currentRequest }, meet) => {
      const request: CompactRequest = {
        ...membersOf(payload),
        ...fields,
        format,
        ...(currentRequest !== undefined && { currentRequest }),
      }
      const [low = 0, high = 0] = [...thresholds].sort((a, b) => a - b)
      const usual = await targetsOf(request)
      const lower = await targetsOf({ ...request, compactionThreshold: low })
      const higher = await targetsOf({ ...request, compactionThreshold: high })
      expect([lower === undefined, higher === undefined]).toEqual([
        usual === undefined,
        usual === undefined,
      ])
      if (usual === undefined || lower === undefined || higher === undefined) return
      for (const which of ['posted', 'history'] as const) {
        expect(lower[which]).toBeLessThanOrEqual(higher[which])
        expect(higher[which]).toBeLessThanOrEqual(usual[which])
      }
      if (lower.history < usual.history) meet('a lowered target')
      if (high >= DEFAULT_COMPACTION_THRESHOLD) meet('a threshold above the default')
    },
    { meets: { 'a lowered target': 0.3, 'a threshold above the default': 0.1 } },
  )

  property(
    'no reading of the scope, sure or not, honest or not, raises it above the default',
    fc.record({
      payload: conversationOf(format, { maxMessages: 8 }),
      fields: budgetFields,
      score: fc.oneof(
        { weight: 4, arbitrary: tenths(0, 30) },
        { weight: 1, arbitrary: tenths(-20, 60) },
        { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY) },
      ),
      confidence: fc.oneof(
        { weight: 4, arbitrary: tenths(3, 10) },
        { weight: 1, arbitrary: fc.constantFrom(0, Number.NaN, -1, 7) },
      ),
    }),
    async ({ payload, fields, score, confidence }, meet) => {
      const request = { ...membersOf(payload), ...fields, format, currentRequest: 'And the tests?' }
      const usual = await targetsOf(request)
      if (usual === undefined) return
      const services = createServices({
        decide: scopeModel(score, confidence),
        summarize: undefined,
      })
      const scoped = await budgetConversation(request, services, unhurried())
      expect(scoped.compactionThreshold.value).toBeLessThanOrEqual(DEFAULT_COMPACTION_THRESHOLD)
      expect(scoped.target.value).toBeLessThanOrEqual(usual.history)
      if (scoped.target.value < usual.history) meet('a scope that lowers')
      else expect(scoped.target.value).toBe(usual.history)
    },
    { meets: { 'a scope that lowers': 0.1 } },
  )
})

describe('P9: the second guard', () => {
  const tokens = fc.nat({ max: 300_000 })

  property(
    'holds by itself: the arithmetic takes no threshold for more than the default',
    fc.record({
      window: fc.integer({ min: 2, max: 2_000_000 }),
      threshold: fc.oneof(
        fc.integer({ min: 1, max: 2_000 }).map((thousandths) => thousandths / 1_000),
        fc.double({ min: 0.001, max: 100, noNaN: true }),
      ),
      overhead: fc.record({
        instructions: tokens,
        currentRequest: tokens,
        tools: tokens,
        files: tokens.map((value) => ({ value, source: 'request' as const })),
      }),
    }),
    ({ window, threshold: value, overhead }, meet) => {
      const targetAt = (at: number) =>
        resolveBudget({
          contextWindow: { value: window, source: 'request' },
          maxOutputTokens: undefined,
          threshold: { value: at, source: 'request' },
          history: 0,
          ...overhead,
        }).target.value
      const usual = targetAt(DEFAULT_COMPACTION_THRESHOLD)
      expect(targetAt(value)).toBeLessThanOrEqual(usual)
      expect(resolveThreshold(value, undefined).value).toBeLessThanOrEqual(
        DEFAULT_COMPACTION_THRESHOLD,
      )
      if (usual > 0 && value > DEFAULT_COMPACTION_THRESHOLD) meet('a guarded threshold')
    },
    { meets: { 'a guarded threshold': 0.08 } },
  )
})

function scopeModel(score: number, confidence: number): DecidePort {
  return {
    traits: {
      wire: 'scripted',
      model: 'scripted-1',
      order: 'oldest-first',
      riskBudget: undefined,
      maxQuestions: 300,
      sites: new Set(['context-scope']),
    },
    decide: async ({ questions }) => ({
      answers: new Map(questions.map(({ id }) => [id, { kind: 'score', score, confidence }])),
      wire: 'scripted',
      model: 'scripted-1',
      latencyMs: 1,
      requests: 1,
      notAsked: 0,
    }),
  }
}
