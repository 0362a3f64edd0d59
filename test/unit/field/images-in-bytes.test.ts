/**
 * Complaint 33, codex #41338: an image is few tokens and megabytes on the wire; 53 of them made a
 * request that no server took. agentlys PR 347: charts in base64 went into the request for the
 * summary, 2.1M tokens, and the compaction killed the turn.
 */
import { describe, expect, it } from 'vitest'
import { base64, png } from '../formats/sample-media.ts'
import { only } from '../seeds/support.ts'
import { DIALECTS, FIELD_FORMATS } from './dialects.ts'
import { PICTURES } from './pictures.ts'
import { expectValid, run } from './support.ts'

const COUNT = 53
const picture = base64(png(512, 512, 30_000))
const bytesOf = (items: readonly unknown[]): number => JSON.stringify(items).length

describe.each(FIELD_FORMATS)('53 images that are few tokens and many bytes, in %s', (format) => {
  const { says, user } = DIALECTS[format]
  const items = [
    user('Name what I show you.'),
    ...says('I will.'),
    ...Array.from({ length: COUNT }, (_, index) => [
      PICTURES[format](picture, `And number ${index}?`),
      ...says(`Chart ${index}.`),
    ]).flat(),
    user('And now?'),
  ]
  const maxBytes = Math.ceil(bytesOf(items) / 3)

  it('fit by their tokens, and do not by their bytes', async () => {
    const { result } = await run(format, items, { targetTokens: 1e9 })
    expect(result.messages).toBe(items)
    const { report } = (await run(format, items, { targetTokens: 1e9, maxBytes })).result
    expect(report.outcome).not.toBe('unchanged')
  })

  it.each([
    [
      'a note in the place of old ones',
      { ...only('prune'), prune: { enabled: true, media: true } },
    ],
    ['whole messages that go', only('truncate')],
  ])('are brought below the byte limit by %s', async (_, options) => {
    const done = await run(format, items, { targetTokens: 1e9, maxBytes, options })
    expect(done.result.report.fits).toBe(true)
    expect(bytesOf(done.result.messages)).toBeLessThanOrEqual(maxBytes)
    expectValid(format, done)
    // The newest stay as they are.
    expect(done.result.messages.at(-3)).toBe(items.at(-3))
  })

  it('send none of their bytes to the summariser', async () => {
    const { tokensBefore } = (await run(format, items, { targetTokens: 1e9 })).result.report
    const { result, summarize } = await run(format, items, {
      targetTokens: Math.ceil(tokensBefore / 2),
      options: only('summarize'),
    })
    expect(result.report.stagesUsed).toEqual(['summarize'])
    const sent = JSON.stringify(summarize.requests)
    expect(sent.length).toBeLessThan(50_000)
    expect(sent).not.toContain(picture.slice(100, 200))
  })
})
