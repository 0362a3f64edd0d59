/** W2: theirs cuts a share of the message count and 15% more: at half the tokens it ends at 77% of its budget. */
import { describe, expect, it } from 'vitest'
import {
  chat,
  compactWith,
  conversation,
  goneIds,
  prose,
  sizeOf,
  tokensOf,
  user,
} from '../seeds/support.ts'

describe('W2: truncation', () => {
  const messages = conversation(...chat(200, 70))
  const pair = tokensOf(messages.slice(10, 12)) - 24

  it.each([0.3, 0.5, 0.8])(
    'to %d of the tokens throws away no exchange that had room',
    async (share) => {
      const targetTokens = Math.floor((await sizeOf(messages)) * share)
      const { report } = await compactWith({ messages, targetTokens })
      expect(report.fits).toBe(true)
      // Less than one exchange of room is left; the marker is paid at its largest.
      expect(targetTokens - report.tokensAfter).toBeLessThan(pair + 8)
      expect(report.tokensAfter / targetTokens).toBeGreaterThan(0.93)
    },
  )

  it('by sizes and not by counts: the small ones stay where one large is enough', async () => {
    const uneven = conversation(
      user('The task.'),
      ...chat(20, 20).slice(1),
      user(prose(2_000, 'log')),
      ...chat(41, 20).slice(1),
    )
    const targetTokens = (await sizeOf(uneven)) - 2_500
    const result = await compactWith({ messages: uneven, targetTokens })
    expect(result.report.fits).toBe(true)
    // The log with its reply, and the reply to the task, in whose place the marker stands.
    expect(goneIds(uneven, result)).toEqual(['m1', 'm20', 'm21'])
  })
})
