import { describe, expect } from 'vitest'
import { STAGE_NAMES } from '../../src/engine/options.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { recount } from './support/recount.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

describe.each(SERVED_FORMATS)('P4: tokens never grow, in %s', (format) => {
  property(
    'the conversation that comes back is not larger, by a count of its own',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, input, output } = await runCase(sketch)
      const [before, after] = [recount(format, input).total, recount(format, output).total]
      expect(after).toBeLessThanOrEqual(before)
      expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
      if (after < before) meet('a smaller conversation')
      expect(after < before).toBe(report.outcome !== 'unchanged')
    },
    { meets: { 'a smaller conversation': 0.3 } },
  )

  property(
    'each stage goes on from where the last one stopped, and none makes it larger',
    compactionCase(format),
    async (sketch, meet) => {
      const { report } = await runCase(sketch)
      expect(report.stages.map(({ stage }) => stage)).toEqual([...STAGE_NAMES])
      let tokens = report.tokensBefore
      for (const {
        stage,
        status,
        tokensBefore,
        tokensAfter,
        dropped,
        rewritten,
      } of report.stages) {
        meet(status)
        expect(tokensBefore).toBe(tokens)
        if (status === 'applied') {
          expect(tokensAfter).toBeLessThan(tokensBefore)
          expect(dropped + rewritten).toBeGreaterThan(0)
          expect(report.stagesUsed).toContain(stage)
        } else {
          expect([tokensAfter, dropped, rewritten]).toEqual([tokensBefore, 0, 0])
          expect(report.stagesUsed).not.toContain(stage)
        }
        tokens = tokensAfter
      }
      expect(tokens).toBe(report.tokensAfter)
    },
    { meets: { applied: 0.3, rejected: 0.01, failed: 0.04, skipped: 0.1, 'no-change': 0.1 } },
  )
})
