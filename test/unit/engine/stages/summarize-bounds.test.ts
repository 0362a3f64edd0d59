import { describe, expect, it } from 'vitest'
import { summarize } from '../../../../src/engine/stages/summarize.ts'
import { isPoorer } from '../../../../src/engine/summary/checks.ts'
import { fakePorts, fakeSummarizer } from '../../../helpers/fake-ports.ts'
import { buildTranscript, countByLength, user } from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

const WINDOW = 3_000

/** A long summary with its constraints at the end, and messages after it. */
function afterLongSummary(summaryLength: number) {
  const summary = `${'earlier work. '.repeat(summaryLength / 14)}\n10. Constraints and Established Rules:\nnever touch production`
  return buildTranscript([
    user('task'),
    user(summary, { flags: { summary: true } }),
    ...Array.from({ length: 40 }, (_, index) => user(`message ${index} `.repeat(20))),
    user('now'),
  ])
}

describe('what a summariser is sent', () => {
  it('stays within its window also where the summary so far does not', async () => {
    const summarizer = fakeSummarizer(['1. Primary Request and Intent: x'], WINDOW)
    const transcript = afterLongSummary(60_000)
    await summarize(stageInput(transcript, { target: 2_000 }), fakePorts({ summarize: summarizer }))
    expect(summarizer.requests.length).toBeGreaterThan(0)
    for (const { instructions, input } of summarizer.requests) {
      expect(countByLength(instructions) + countByLength(input)).toBeLessThanOrEqual(WINDOW)
    }
    expect(summarizer.requests[0]?.input).toContain('never touch production')
  })

  it('is nothing where the window has no room, and the reason says so', async () => {
    const summarizer = fakeSummarizer(['text'], 100)
    const output = await summarize(
      stageInput(afterLongSummary(1_400), { target: 2_000 }),
      fakePorts({ summarize: summarizer }),
    )
    expect(summarizer.requests).toEqual([])
    expect(output.summary).toMatchObject({
      accepted: false,
      reason: 'max-tokens-exceeded',
      rounds: 0,
    })
  })
})

describe('a summary of free form', () => {
  const previous = 'Never touch the production database. The user wants retries with backoff.'

  it('is not replaced by one with less than half its words', () => {
    expect(isPoorer('ok', previous)).toBe(true)
    expect(isPoorer('Retries with backoff.', previous)).toBe(true)
  })

  it('may be replaced by one that says as much', () => {
    expect(isPoorer(`${previous} Tests pass.`, previous)).toBe(false)
  })
})
