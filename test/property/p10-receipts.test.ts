import { describe, expect } from 'vitest'
import type { WireFormat } from '../helpers/wire-rules/index.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { layoutOf } from './support/layout.ts'
import { membersOf, runCase, runRequest } from './support/run-case.ts'
import { property } from './support/run-property.ts'
import { scriptedSketch } from './support/scripted-decide.ts'

/** Relevance alone, over its target however much it clears. */
const clearingCase = (format: WireFormat) =>
  compactionCase(format).chain((sketch) =>
    scriptedSketch.map(
      (decide): CompactionCase => ({
        ...sketch,
        decide,
        pins: [],
        currentRequest: 'Fix the retry budget of the parser.',
        target: { from: 'floor', ratio: 0, nudge: 0 },
        options: {
          protectRecent: 0,
          relevance: {
            enabled: true,
            toolExchanges: 'clear',
            maxDropRatio: 1,
            riskBudget: null,
            minDropConfidence: 0,
          },
          prune: { enabled: false },
          deduplicate: { enabled: false },
          collapse: { enabled: false },
          summarize: { enabled: false },
          truncate: { enabled: false },
        },
      }),
    ),
  )

describe.each(SERVED_FORMATS)('P10: what is cleared is cleared once, in %s', (format) => {
  property(
    'a second run knows every receipt of the first, and clears none of those messages again',
    clearingCase(format),
    async (sketch, meet) => {
      const first = await runCase(sketch)
      const again = { ...sketch, payload: first.output }
      const second = await runRequest(again, { ...first.request, ...membersOf(first.output) })
      const cleared = layoutOf(first.posted.length, first.report).flatMap(({ from }, place) =>
        from === 'rewritten' ? place : [],
      )
      if (cleared.length === 0) return
      meet('a receipt')
      if (second.report.relevance !== undefined) meet('a second judgement')
      for (const { index, action } of second.report.actions) {
        if (action === 'rewritten') expect(cleared).not.toContain(index)
      }
    },
    { runs: 0.7, meets: { 'a receipt': 0.05, 'a second judgement': 0.03 } },
  )
})
