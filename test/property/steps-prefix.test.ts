import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createStepMemo } from '../../src/conversation/steps/step-memo.ts'
import type { DecidePort } from '../../src/engine/ports.ts'
import { withItems } from '../helpers/arbitraries/index.ts'
import { withMovingMarks, withoutMarks } from './support/cache-marks.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import {
  judged,
  playSession,
  servicesOf,
  sessionCase,
  type Turn,
} from './support/growing-session.ts'
import { recount } from './support/recount.ts'
import { property } from './support/run-property.ts'

const textsOf = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item))

const outputsOf = (turns: readonly Turn[]) => turns.map(({ returned }) => textsOf(returned))

/** What a turn would send if nothing were done: what was sent last, and what has come since. */
function grown(before: Turn, turn: Turn): Record<string, unknown>[] {
  return [...before.returned, ...turn.posted.slice(before.count)] as Record<string, unknown>[]
}

describe.each(SERVED_FORMATS)('steps: a turn goes on from the turn before, in %s', (format) => {
  property(
    'a turn sends what the last one sent and what has come since, byte for byte, until that outgrows the target',
    sessionCase(format),
    async (session, meet) => {
      const { target, turns } = await playSession(session)
      for (const [index, turn] of turns.entries()) {
        const before = turns[index - 1]
        if (before === undefined || !before.report.fits) continue
        const together = grown(before, turn)
        const tokens = recount(format, withItems(turn.input, together)).total
        if (tokens > target) {
          meet('a target outgrown')
          continue
        }
        if (before.steps.taken > 0) meet('a prefix that was compacted')
        if (!turns.slice(0, index).every(({ report }) => report.fits)) meet('an overflow before')
        expect(textsOf(turn.returned)).toEqual(textsOf(together))
        expect(turn.steps.taken).toBe(before.steps.taken)
        expect(turn.report.tokensAfter).toBe(tokens)
      }
    },
    {
      runs: 0.3,
      meets: {
        'a prefix that was compacted': 0.3,
        'a target outgrown': 0.5,
        'an overflow before': 0.02,
      },
    },
  )

  property(
    'a turn that outgrows the target takes one step more, from what the last one sent',
    sessionCase(format),
    async (session, meet) => {
      const { target, turns } = await playSession(session)
      for (const [index, turn] of turns.entries()) {
        const before = turns[index - 1]
        if (before === undefined || !before.report.fits || !turn.report.fits) continue
        const together = grown(before, turn)
        if (recount(format, withItems(turn.input, together)).total <= target) continue
        meet(before.steps.taken === 0 ? 'the first step' : 'a later step')
        expect(turn.steps.taken).toBe(before.steps.taken + 1)
        // What is not of this turn's making stood there before, in this order.
        const texts = textsOf(together)
        let place = 0
        let kept = 0
        for (const text of textsOf(turn.returned)) {
          const found = texts.indexOf(text, place)
          if (found === -1) continue
          place = found + 1
          kept += 1
        }
        const made = turn.report.actions.filter(({ action }) => action !== 'dropped')
        expect(turn.returned.length - kept).toBeLessThanOrEqual(made.length)
      }
    },
    { runs: 0.25, meets: { 'the first step': 0.5, 'a later step': 0.1 } },
  )

  property(
    'the same is sent with a memory of earlier steps, without one, and where nobody has seen the session before',
    sessionCase(format, 36),
    async (session, meet) => {
      const plain = await playSession(session)
      const memo = createStepMemo(1_000_000)
      const first = await playSession(session, { memo })
      const again = await playSession(session, { memo })
      expect(outputsOf(first.turns)).toEqual(outputsOf(plain.turns))
      expect(outputsOf(again.turns)).toEqual(outputsOf(plain.turns))
      for (const [index, turn] of first.turns.entries()) {
        const { taken } = turn.steps
        if (taken > 0 && taken === first.turns[index - 1]?.steps.taken) {
          meet('a step recalled')
          expect(turn.steps.recalled).toBe(taken)
        }
        expect(again.turns[index]?.steps).toEqual({ ...turn.steps, recalled: taken })
        const cold = plain.turns[index]?.report
        expect(turn.report.actions).toEqual(cold?.actions)
        expect(turn.report.stages).toEqual(cold?.stages)
        expect(turn.report.drops).toEqual(cold?.drops)
        expect(turn.report.floor).toEqual(cold?.floor)
      }
    },
    { runs: 0.25, meets: { 'a step recalled': 0.3 } },
  )
})

/** No to everything, and another number each time: nothing follows from the messages alone. */
function createFickleJudge(): DecidePort & { readonly calls: () => number } {
  let calls = 0
  const meta = { wire: 'scripted', model: 'fickle-1', latencyMs: 1, requests: 1, notAsked: 0 }
  return {
    calls: () => calls,
    traits: {
      ...meta,
      order: 'least-needed-first',
      riskBudget: undefined,
      maxQuestions: Number.POSITIVE_INFINITY,
      sites: new Set(['relevance', 'summary-gate']),
    },
    decide: async ({ questions }) => {
      calls += 1
      const answers = questions.map(({ id }, index) => {
        const roll = ((calls * 7_919 + index * 104_729) % 1_000) / 1_000
        return [id, { kind: 'boolean', probability: roll < 0.5 ? roll / 5 : roll }] as const
      })
      return { ...meta, answers: new Map(answers) }
    },
  }
}

describe.each(SERVED_FORMATS)('steps: with a memory of what was decided, in %s', (format) => {
  property(
    'a model that changes its mind at every call changes nothing that was sent, and is not asked again',
    sessionCase(format, 40).map(judged),
    async (session, meet) => {
      const judge = createFickleJudge()
      const services = {
        ...servicesOf(session.sketch, createStepMemo(1_000_000)),
        decide: judge,
      }
      const { target, turns } = await playSession(session, { services })
      for (const [index, turn] of turns.entries()) {
        const before = turns[index - 1]
        if (before === undefined || !before.report.fits) continue
        const together = grown(before, turn)
        if (recount(format, withItems(turn.input, together)).total > target) continue
        if (before.steps.taken > 0) meet('a prefix that was compacted')
        expect(textsOf(turn.returned)).toEqual(textsOf(together))
        expect(turn.steps.recalled).toBe(turn.steps.taken)
      }
      // Played once more, all that fits was decided before.
      if (!turns.every(({ report }) => report.fits)) return
      const calls = judge.calls()
      if (calls > 0) meet('a model asked')
      const again = await playSession(session, { services })
      expect(judge.calls()).toBe(calls)
      expect(outputsOf(again.turns)).toEqual(outputsOf(turns))
    },
    { runs: 0.25, meets: { 'a prefix that was compacted': 0.2, 'a model asked': 0.2 } },
  )
})

describe.each(['anthropic-messages', 'openai-chat'] as const)(
  'steps: a mark that moves along with the newest messages, in %s',
  (format) => {
    property(
      'changes nothing about what is sent, marks aside, with a memory or without',
      fc.record({ session: sessionCase(format, 40), memory: fc.constantFrom(0, 1_000_000) }),
      async ({ session, memory }, meet) => {
        const dress = { dress: withoutMarks }
        const plain = await playSession(session, dress)
        const marked = await playSession(session, {
          dress: withMovingMarks,
          memo: createStepMemo(memory),
        })
        for (const [index, turn] of marked.turns.entries()) {
          const before = plain.turns[index]
          if (turn.steps.taken > 0) meet('a step')
          expect(turn.steps.taken).toBe(before?.steps.taken)
          expect(textsOf(withoutMarks(turn.returned as Record<string, unknown>[]))).toEqual(
            textsOf(withoutMarks((before?.returned ?? []) as Record<string, unknown>[])),
          )
          const { cached } = turn.steps
          const isSame = (message: unknown, place: number) => turn.returned[place] === message
          expect(cached?.kept).toBe(turn.posted.slice(0, cached?.messages).every(isSame))
        }
      },
      { runs: 0.3, meets: { 'a step': 0.5 } },
    )
  },
)
