/**
 * Complaint 28, senpi #1455, CyberStrike #146, codegraff #260: base64 was counted as text, 300 to 500
 * times too high: compaction on the first message, and the picture was lost. code_puppy #783: images
 * counted as nothing, so that it never fired.
 */
import { describe, expect, it } from 'vitest'
import { base64, png } from '../formats/sample-media.ts'
import { DIALECTS, FIELD_FORMATS } from './dialects.ts'
import { PICTURES } from './pictures.ts'
import { expectValid, run } from './support.ts'

/** 400 kB on the wire; 258 to 1,568 tokens by the providers' rules. */
const picture = base64(png(1_024, 1_024, 300_000))

describe.each(FIELD_FORMATS)('a picture in base64, in %s', (format) => {
  const { says, user } = DIALECTS[format]

  it('does not fire a compaction on the first message, and is not lost', async () => {
    const items = [PICTURES[format](picture, 'What is this?')]
    const { result } = await run(format, items, { targetTokens: 4_000 })
    expect(result.report.outcome).toBe('unchanged')
    expect(result.report.fits).toBe(true)
    expect(result.report.tokensBefore).toBeLessThan(2_500)
    expect(result.messages).toBe(items)
  })

  it('is not nothing: forty of them fire one', async () => {
    const shown = Array.from({ length: 40 }, (_, index) => [
      PICTURES[format](picture, `And number ${index}?`),
      ...says(`Lantern ${index}.`),
    ]).flat()
    const items = [user('Name what I show you.'), ...says('I will.'), ...shown, user('And now?')]
    const before = (await run(format, items, { targetTokens: 1e9 })).result.report.tokensBefore
    expect(before).toBeGreaterThan(40 * 250)
    const done = await run(format, items, { targetTokens: 5_000 })
    expect(done.result.report.outcome).not.toBe('unchanged')
    expect(done.result.report.tokensAfter).toBeLessThan(before)
    expectValid(format, done)
  })
})
