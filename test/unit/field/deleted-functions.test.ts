/**
 * Complaint 3, semantic-kernel #13062 and #12708: the reducers parted calls from results although a
 * flag promised to keep the pairs. dotnet/extensions #6890: all function content was deleted, also
 * where nothing was summarised.
 */
import { describe, expect, it } from 'vitest'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { compactWith, only } from '../seeds/support.ts'
import { DIALECTS, FIELD_FORMATS, idsIn, session } from './dialects.ts'
import { expectValid, run } from './support.ts'

describe.each(FIELD_FORMATS)('function content, in %s', (format) => {
  it.each(['summarize', 'truncate'] as const)(
    'is whole in all that %s did not replace',
    async (stage) => {
      const items = session(format, 9, () => 2)
      const { tokensBefore, floor } = (await run(format, items, { targetTokens: 1e9 })).result
        .report
      const targetTokens = Math.ceil((tokensBefore + floor.tokens) / 2)
      const done = await run(format, items, { targetTokens, options: only(stage) })
      expect(done.result.report.stagesUsed).toEqual([stage])
      expectValid(format, done)
      const dropped = new Set(
        done.result.report.actions.flatMap(({ action, index }) =>
          action === 'dropped' ? [index] : [],
        ),
      )
      const kept = items.filter((_, index) => !dropped.has(index))
      expect(idsIn(kept).called.length).toBeGreaterThan(1)
      expect(idsIn(done.result.messages)).toEqual(idsIn(kept))
    },
  )

  it('stays where the summary fails and nothing is summarised', async () => {
    const items = session(format, 9, () => 2)
    const { tokensBefore, floor } = (await run(format, items, { targetTokens: 1e9 })).result.report
    const result = await compactWith(
      {
        format,
        [DIALECTS[format].list]: items,
        targetTokens: Math.ceil((tokensBefore + floor.tokens) / 2),
        options: only('summarize'),
      },
      { summarize: fakeSummarizer([new Error('down')]) },
    )
    expect(result.report.stages.map(({ status }) => status)).toContain('failed')
    expect(result.messages).toBe(items)
  })

  it('stays where nothing need be done', async () => {
    const items = session(format, 9, () => 2)
    const { result } = await run(format, items, { targetTokens: 1e9 })
    expect(result.messages).toBe(items)
  })
})
