/**
 * Complaint 26, letta #3242: totals that included the output decided when to compact (1.7 times too
 * high), another counter decided whether it had worked, so that it seemed to fail and ever harsher
 * means were tried.
 */
import { describe, expect, it } from 'vitest'
import { FIELD_FORMATS, session } from './dialects.ts'
import { run, sweep } from './support.ts'

describe.each(FIELD_FORMATS)('one counter, in %s', (format) => {
  it('decides when to begin, whether it fits, and what is reported', async () => {
    const items = session(format, 8, (turn) => 1 + (turn % 3))
    const steps: { messages: readonly unknown[]; after: number; target: number }[] = []
    await sweep(
      format,
      items,
      ({ result: { report, messages } }) => {
        expect(report.fits).toBe(report.tokensAfter <= report.target)
        expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
        if (report.outcome !== 'unchanged') {
          steps.push({ messages, after: report.tokensAfter, target: report.target })
        }
      },
      { steps: 4 },
    )
    for (const { messages, after } of steps) {
      const again = await run(format, messages as typeof items, { targetTokens: 1e9 })
      expect(again.result.report.tokensBefore).toBe(after)
    }
  })

  it('is content with what it has made: the second run at the same target does nothing', async () => {
    const items = session(format, 8, (turn) => 1 + (turn % 3))
    const { tokensBefore, floor } = (await run(format, items, { targetTokens: 1e9 })).result.report
    const targetTokens = Math.ceil((tokensBefore + floor.tokens) / 1.5)
    const first = await run(format, items, { targetTokens })
    expect(first.result.report).toMatchObject({ outcome: 'compacted', fits: true })
    const left = first.result.messages as typeof items
    const second = await run(format, left, { targetTokens })
    expect(second.result.report).toMatchObject({ outcome: 'unchanged', fits: true })
    expect(second.result.report.tokensBefore).toBe(first.result.report.tokensAfter)
    expect(second.summarize.requests).toEqual([])
  })
})
