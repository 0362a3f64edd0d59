import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../src/conversation/request.ts'
import type { OptionOverrides } from '../../src/engine/options.ts'
import { type BigShape, HOSTILE_SHAPES, SESSIONS } from './support/big-shapes.ts'
import { createMeter } from './support/metered-counters.ts'
import { createServices, unhurried } from './support/run-case.ts'

/** Twice the history may cost twice the work, and some for what does not divide evenly. */
const MOST_GROWTH = 2.4

/** Every stage that asks no model. */
const OPTIONS: OptionOverrides = {
  prune: { enabled: true, protectTokens: 1_000, minimumSavings: 0 },
  deduplicate: { enabled: true },
  truncate: { enabled: true },
}

type Aim = (floor: number, whole: number) => number

interface Work {
  readonly calls: number
  readonly characters: number
  readonly taken: number
  readonly fits: boolean
}

async function workOf(shape: BigShape, size: number, over: Over, aim: Aim): Promise<Work> {
  const request = { ...shape(size), options: OPTIONS, ...over.members?.(size) }
  const probe = await compactConversation(
    { ...request, targetTokens: 1_000_000_000 },
    createServices({ decide: undefined, summarize: undefined }),
    unhurried(),
  )
  const meter = createMeter()
  const target = aim(probe.report.floor.tokens, probe.report.tokensBefore)
  const { steps, report } = await compactConversation(
    {
      ...request,
      lowWater: over.lowWater ?? 0.5,
      targetTokens: Math.max(1, Math.ceil(target / (probe.budget.safetyFactor ?? 1))),
    },
    createServices({ decide: undefined, summarize: undefined }, meter.counters),
    unhurried(),
  )
  return {
    calls: meter.calls(),
    characters: meter.characters(),
    taken: steps?.taken ?? 0,
    fits: report.fits,
  }
}

interface Over {
  readonly lowWater?: number
  readonly members?: (size: number) => Partial<CompactRequest>
}

const pinAll = (size: number) => Array.from({ length: size }, (_, index) => index)

const CASES: readonly (readonly [string, Over, Aim, 'fits' | 'does not fit'])[] = [
  ['a fixed target', {}, () => 3_000, 'fits'],
  ['a target that is a third of the whole', {}, (_, whole) => whole / 3, 'fits'],
  ['a step for every message', { lowWater: 1 }, (_, whole) => whole / 3, 'fits'],
  [
    'a floor just below the target at every turn',
    { members: (size) => ({ pins: pinAll(size / 2) }) },
    (floor) => floor + 60,
    'fits',
  ],
  [
    'all pinned, so that no step can succeed',
    { members: (size) => ({ pins: pinAll(size) }) },
    (_, whole) => whole / 3,
    'does not fit',
  ],
  [
    'a floor above the target at every turn',
    { members: (size) => ({ options: { ...OPTIONS, protectRecent: size } }) },
    () => 1_000,
    'does not fit',
  ],
  [
    'nothing that a stage may do',
    {
      members: () => ({
        options: {
          relevance: { enabled: false },
          prune: { enabled: false },
          deduplicate: { enabled: false },
          truncate: { enabled: false },
        },
      }),
    },
    (_, whole) => whole / 3,
    'does not fit',
  ],
]

describe('P13: the work of all steps together is linear', () => {
  for (const [title, over, aim, outcome] of CASES) {
    it.each(Object.entries(SESSIONS))(
      `twice the history is at most 2.4 times the counting with ${title}, in %s`,
      { timeout: 120_000 },
      async (_, shape) => {
        const once = await workOf(shape, 1_200, over, aim)
        const twice = await workOf(shape, 2_400, over, aim)
        expect([once.fits, twice.fits]).toEqual([outcome === 'fits', outcome === 'fits'])
        for (const what of ['calls', 'characters'] as const) {
          expect(twice[what] / once[what], what).toBeLessThan(MOST_GROWTH)
        }
      },
    )
  }

  it.each(Object.entries(HOSTILE_SHAPES))(
    'eight times the messages take less than 20 times the counting with %s',
    { timeout: 120_000 },
    async (_, shape) => {
      const small = await workOf(shape, 500, {}, (floor, whole) => floor + 0.3 * (whole - floor))
      const large = await workOf(shape, 4_000, {}, (floor, whole) => floor + 0.3 * (whole - floor))
      expect(large.characters / small.characters).toBeLessThan(20)
    },
  )
})
