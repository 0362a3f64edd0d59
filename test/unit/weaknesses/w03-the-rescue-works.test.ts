/**
 * W3: theirs exceeds its own budget by one or two tokens wherever a cut finds no sentence end, so that
 * a conversation of four messages is not rescued in 190 of 190 budgets.
 */
import { describe, expect, it } from 'vitest'
import { shortenToTokens } from '../../../src/engine/text-cut.ts'
import { assistant, compactWith, conversation, countTokens, user } from '../seeds/support.ts'
import { RESCUE_TEXTS } from './rescue-texts.ts'

const KINDS = Object.keys(RESCUE_TEXTS)
const textOf = (kind: string, characters: number): string => RESCUE_TEXTS[kind]?.(characters) ?? ''

describe('W3: a text that is shortened', () => {
  it.each(KINDS)('never exceeds its budget: %s', (kind) => {
    const text = textOf(kind, 3_200)
    const tokens = countTokens(text)
    for (let budget = 11; budget < tokens; budget += Math.ceil(tokens / 199)) {
      const shortened = shortenToTokens(text, tokens, budget, countTokens)
      if (shortened === undefined) throw new Error(`no text of ${budget} tokens`)
      expect(countTokens(shortened)).toBeLessThanOrEqual(budget)
    }
  })

  it('keeps to all of 1,990 budgets without a sentence end to cut at', () => {
    const text = textOf('code one-liners', 9_000)
    const tokens = countTokens(text)
    expect(tokens).toBeGreaterThan(2_001)
    for (let budget = 11; budget < 2_001; budget += 1) {
      const shortened = shortenToTokens(text, tokens, budget, countTokens) ?? text
      expect(countTokens(shortened)).toBeLessThanOrEqual(budget)
    }
  })
})

describe('W3: the rescue of a conversation of four messages', () => {
  it.each(KINDS)('fits in 190 of 190 budgets: %s', async (kind) => {
    const messages = conversation(
      user('Show me the file.'),
      assistant(textOf(kind, 3_200)),
      user('Now the next step.'),
      assistant('Here it is.'),
    )
    const { report } = await compactWith({ messages, targetTokens: 1_000_000 })
    const { tokens: floor } = report.floor
    const step = (report.tokensBefore - floor) / 190
    expect(step).toBeGreaterThan(1)
    for (let index = 0; index < 190; index += 1) {
      const targetTokens = Math.floor(floor + index * step)
      const result = await compactWith({ messages, targetTokens })
      expect(result.report).toMatchObject({ outcome: 'compacted', fits: true })
      expect(result.report.tokensAfter).toBeLessThanOrEqual(targetTokens)
      expect(result.messages).toHaveLength(4)
    }
  })
})
