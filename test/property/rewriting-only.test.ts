/** A run that may only rewrite, for contracts that write texts back by their places. */
import { describe, expect } from 'vitest'
import type { OptionOverrides } from '../../src/engine/options.ts'
import { findChanges, newFaults } from '../helpers/wire-rules/index.ts'
import { asRecord } from '../helpers/wire-rules/json.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { requestOf, runCase, runRequest } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const REWRITING_ONLY: OptionOverrides = {
  relevance: { enabled: false },
  prune: { protectTokens: 0, minimumSavings: 0 },
  collapse: { enabled: false },
  summarize: { enabled: false },
  truncate: { enabled: true, drop: false },
}

/** What of a message no rewriting may change. */
const placeOf = (message: unknown) => {
  const { role, id, type, tool_call_id, call_id, tool_calls } = asRecord(message)
  return { role, id, type, tool_call_id, call_id, tool_calls }
}

describe.each(SERVED_FORMATS)('a run that may only rewrite, in %s', (format) => {
  property(
    'leaves every message in its place, valid, and no larger; again changes nothing',
    compactionCase(format),
    async (sketch, meet) => {
      const rewriting = { ...sketch, options: { ...sketch.options, ...REWRITING_ONLY } }
      const { report, result, request, input, output, posted, returned } = await runCase(rewriting)
      expect(returned.map(placeOf)).toEqual(posted.map(placeOf))
      expect(report.drops).toEqual([])
      expect(newFaults(format, input, output)).toEqual([])
      expect(findChanges(format, input, output)).toEqual([])
      expect(result.brokenRules).toEqual([])
      expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
      expect(report.fits).toBe(report.tokensAfter <= report.target)
      meet(report.outcome)
      const again = { ...rewriting, payload: output }
      const second = await runRequest(again, {
        ...requestOf(again),
        targetTokens: request.targetTokens ?? 1,
      })
      expect([report.outcome, second.report.outcome]).toEqual([report.outcome, 'unchanged'])
    },
    { meets: { compacted: 0.05, partial: 0.05, unchanged: 0.1 } },
  )
})
