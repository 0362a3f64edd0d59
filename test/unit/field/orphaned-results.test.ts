/**
 * Complaint 1, openclaw #28377: a result was kept whose call had been summarised away. Every later
 * request was refused, and the session was dead until somebody edited it by hand.
 */
import { describe, expect, it } from 'vitest'
import { DIALECTS, FIELD_FORMATS, idsIn, session } from './dialects.ts'
import { expectValid, run, SUMMARY, sweep } from './support.ts'

describe.each(FIELD_FORMATS)('a result whose call was summarised away, in %s', (format) => {
  it('is never left, wherever the cut falls', async () => {
    const items = session(format, 9)
    await sweep(format, items, (step) => {
      expectValid(format, step)
      const { called, answered } = idsIn(step.result.messages)
      expect(answered).toEqual(called)
    })
  })

  it('goes with its call into the summary', async () => {
    const items = session(format, 9)
    const before = await run(format, items, { targetTokens: 1e9 })
    const { tokensBefore, floor } = before.result.report
    const done = await run(format, items, {
      targetTokens: Math.ceil((tokensBefore + floor.tokens) / 2),
      options: { prune: { enabled: false }, truncate: { enabled: false } },
    })
    expect(done.result.report.stagesUsed).toContain('summarize')
    expect(JSON.stringify(done.result.messages)).toContain(SUMMARY)
    expectValid(format, done)
    expect(idsIn(done.result.messages).called.length).toBeLessThan(9)
  })

  it('that the caller has lost already is listed, and the session goes on', async () => {
    const { user, says, results } = DIALECTS[format]
    const [, ...rest] = session(format, 9)
    const orphan = [...says('Looking.'), ...results(['call_lost'], 40)]
    const items = [user('The task.'), ...orphan, ...rest]
    const kept = await run(format, items, { targetTokens: 1e9 })
    expect(kept.result.violations.map(({ rule }) => rule)).toEqual(['result-without-call'])
    const { tokensBefore, floor } = kept.result.report
    const done = await run(format, items, {
      targetTokens: Math.ceil((tokensBefore + floor.tokens) / 2),
    })
    expect(done.result.report.outcome).not.toBe('unchanged')
    expect(done.result.brokenRules).toEqual([])
    expect(done.result.violations.length).toBeLessThanOrEqual(1)
  })
})
