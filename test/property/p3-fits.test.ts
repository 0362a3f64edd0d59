import { describe, expect } from 'vitest'
import { type CompactionCase, compactionCase, withEveryStage } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { recount } from './support/recount.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const withTruncation = (sketch: CompactionCase): CompactionCase => ({
  ...sketch,
  options: { ...sketch.options, truncate: { enabled: true } },
})

describe.each(SERVED_FORMATS)('P3: it fits, or it says that it does not, in %s', (format) => {
  property(
    'fits is told by the very numbers that are reported, and they are those of the returned messages',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, input, output } = await runCase(sketch)
      expect(report.fits).toBe(report.tokensAfter <= report.target)
      expect(report.tokensBefore).toBe(recount(format, input).total)
      expect(report.tokensAfter).toBe(recount(format, output).total)
      const changed = report.outcome !== 'unchanged'
      expect(report.outcome === 'partial').toBe(changed && !report.fits)
      meet(report.fits ? report.outcome : 'does not fit')
    },
    { meets: { compacted: 0.2, unchanged: 0.1, 'does not fit': 0.04 } },
  )

  for (const [stages, choose] of [
    ['every stage', withEveryStage],
    ['truncation and whatever else', withTruncation],
  ] as const) {
    property(
      `with ${stages} it fits exactly if the floor does, or if it did before`,
      compactionCase(format).map(choose),
      async (sketch, meet) => {
        const { report } = await runCase(sketch)
        const { fits, floor, target, tokensBefore } = report
        expect(fits).toBe(floor.tokens <= target || tokensBefore <= target)
        if (tokensBefore > target) meet(fits ? 'a target met' : 'a target below the floor')
      },
      { meets: { 'a target met': 0.3, 'a target below the floor': 0.03 } },
    )
  }

  property(
    'a short conversation that is all but pinned keeps to that as well, an earlier marker in it or not',
    compactionCase(format, { maxMessages: 8 }).map((sketch) =>
      withTruncation({
        ...sketch,
        target: { from: 'floor', ratio: 0, nudge: 0 },
        options: { ...sketch.options, protectRecent: 6 },
      }),
    ),
    async (sketch, meet) => {
      const { fits, floor, target, tokensBefore } = (await runCase(sketch)).report
      expect(fits).toBe(floor.tokens <= target || tokensBefore <= target)
      if (floor.marker > 0) meet('something to drop')
    },
    { meets: { 'something to drop': 0.2 } },
  )

  property(
    'below the floor nothing is changed, and the floor is broken down to its parts',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, result, input } = await runCase(sketch)
      const { floor } = report
      const pins = Object.values(floor.pins).reduce((sum, tokens) => sum + tokens, 0)
      const parts = [
        floor.instructions,
        floor.tools,
        floor.framing,
        floor.protectedTail,
        floor.marker,
      ]
      expect(parts.reduce((sum, tokens) => sum + tokens, pins)).toBe(floor.tokens)
      if (floor.tokens <= report.target || report.tokensBefore <= report.target) return
      meet('a target below the floor')
      expect(report.outcome).toBe('unchanged')
      expect(report.fits).toBe(false)
      expect(result.conversation).toBe(input[result.list])
      expect(report.warnings.map(({ code }) => code)).toContain('budget-unreachable')
    },
    { meets: { 'a target below the floor': 0.03 } },
  )
})
