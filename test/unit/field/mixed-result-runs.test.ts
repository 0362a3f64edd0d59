/**
 * Complaint 2, langchain #38352 (and deepagents #270): the cut was taken for safe as soon as one id
 * of a run of results had its call, so that the others of the run were left as orphans.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { DIALECTS, FIELD_FORMATS, idsIn, session } from './dialects.ts'
import { expectValid, run, sweep } from './support.ts'

describe.each(FIELD_FORMATS)('a run of results of several calls, in %s', (format) => {
  it('is cut by all of its ids and never by one of them', async () => {
    const items = session(format, 7, (turn) => 1 + (turn % 5))
    await sweep(format, items, (step) => {
      expectValid(format, step)
      const { called, answered } = idsIn(step.result.messages)
      expect([...answered].sort()).toEqual([...called].sort())
      // Where one message holds a batch, it is there whole or not at all.
      if (format === 'openai-responses') return
      for (let turn = 0; turn < 7; turn += 1) {
        const left = called.filter((id) => id.startsWith(`call_${turn}_`))
        expect([0, 1 + (turn % 5)]).toContain(left.length)
      }
    })
  })

  it('that mixes an answer with an orphan is faulty for the orphan alone, and is not made worse', async () => {
    const { list, user, calls, results, says } = DIALECTS[format]
    const mixed = [...calls(['call_a']), ...results(['call_a', 'call_lost'], 40)]
    const [, ...rest] = session(format, 7)
    const items = [user('The task.'), ...mixed, ...says('Done.'), user('Go on.'), ...rest]
    const rulesOf = (left: readonly unknown[]) =>
      FORMATS[format].check({ [list]: left } as JsonObject).map(({ rule }) => rule)
    expect(rulesOf(items)).toEqual(['result-without-call'])
    const roomy = await run(format, items, { targetTokens: 1e9 })
    expect(roomy.result.messages).toBe(items)
    const { tokensBefore, floor } = roomy.result.report
    for (const share of [0.2, 0.5, 0.8]) {
      const targetTokens = Math.ceil(floor.tokens + (tokensBefore - floor.tokens) * share)
      const { result } = await run(format, items, { targetTokens })
      expect(result.brokenRules).toEqual([])
      expect([[], ['result-without-call']]).toContainEqual(rulesOf(result.messages))
      const { called, answered } = idsIn(result.messages)
      expect(answered.filter((id) => id !== 'call_lost').sort()).toEqual([...called].sort())
    }
  })
})
