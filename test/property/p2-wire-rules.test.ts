import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { PrecisError } from '../../src/engine/errors.ts'
import type { OptionOverrides } from '../../src/engine/options.ts'
import { brokenConversationOf, conversationOf, LONG } from '../helpers/arbitraries/index.ts'
import { findChanges, newFaults } from '../helpers/wire-rules/index.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { halves, withHalves } from './support/halves.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

/** Nothing but dropping, which is what moves messages next to each other. */
const TRUNCATION_ALONE: OptionOverrides = {
  relevance: { enabled: false },
  prune: { enabled: false },
  deduplicate: { enabled: false },
  collapse: { enabled: false },
  summarize: { enabled: false },
  truncate: { enabled: true },
}

describe.each(SERVED_FORMATS)('P2: the output is valid %s', (format) => {
  for (const [length, size, runs] of [
    ['short', {}, 1],
    ['long', LONG, 0.4],
  ] as const) {
    property(
      `no run on a ${length} valid conversation breaks a wire rule, and the engine's own checker has nothing to undo`,
      compactionCase(format, size),
      async (sketch, meet) => {
        const { report, result, input, output } = await runCase(sketch)
        expect(newFaults(format, input, output)).toEqual([])
        expect(findChanges(format, input, output)).toEqual([])
        expect(result.brokenRules).toEqual([])
        for (const stage of report.stagesUsed) meet(stage)
      },
      {
        runs,
        meets: {
          relevance: 0.02,
          prune: 0.02,
          deduplicate: 0.01,
          collapse: 0.02,
          summarize: 0.01,
          truncate: 0.2,
        },
      },
    )
  }

  property(
    'a conversation that comes broken is refused with its faults, or comes back no more broken',
    compactionCase(format).chain((sketch) =>
      brokenConversationOf(format).map((broken) => ({
        sketch: { ...sketch, payload: broken.payload },
        mutation: broken.mutation,
      })),
    ),
    async ({ sketch }, meet) => {
      try {
        const { report, result, input, output } = await runCase(sketch)
        expect(newFaults(format, input, output)).toEqual([])
        expect(result.brokenRules).toEqual([])
        if (report.outcome !== 'unchanged') meet('a change')
      } catch (error) {
        if (!(error instanceof PrecisError)) throw error
        meet('a refusal')
        expect(error.code).toBe('invalid-conversation')
        expect(error.faults.length).toBeGreaterThan(0)
      }
    },
    // The adapter of Anthropic's messages reads whatever the generator breaks.
    { meets: { 'a change': 0.2, ...(format !== 'anthropic-messages' && { 'a refusal': 0.03 }) } },
  )

  property(
    'half an exchange in the middle of a conversation is left as it is, and breaks nothing beside it',
    fc
      .record({
        sketch: compactionCase(format),
        conversation: conversationOf(format),
        sketches: halves,
      })
      .map(({ sketch, conversation, sketches }) => ({
        ...sketch,
        payload: withHalves(format, conversation, sketches),
        pins: [],
        options: { ...TRUNCATION_ALONE, protectRecent: sketch.options.protectRecent ?? 2 },
      })),
    async (sketch, meet) => {
      const { report, result, input, output } = await runCase(sketch)
      expect(newFaults(format, input, output)).toEqual([])
      expect(result.brokenRules).toEqual([])
      if (report.outcome !== 'unchanged') meet('a change')
    },
    { runs: 2, meets: { 'a change': 0.2 } },
  )
})
